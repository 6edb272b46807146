#if RequestCore
import DataRequestCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The address of a page that a server has named.
enum PageAddress {
    static func refusal() -> DataRequestError {
        DataRequestError(
            .invalidPage,
            "The server named a next page that does not lie below the base URL. It is not asked for, since it would get the credentials of this one."
        )
    }

    /// The request with the address of a page, which must lie below the base URL.
    static func request(
        _ request: DataRequest, for url: URL, below base: URL
    ) throws -> DataRequest {
        guard let page = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let home = URLComponents(url: base, resolvingAgainstBaseURL: true),
            page.scheme?.lowercased() == home.scheme?.lowercased(),
            page.host?.lowercased() == home.host?.lowercased(), port(page) == port(home),
            page.user == nil, page.password == nil
        else { throw refusal() }
        let path = try segments(page.percentEncodedPath)
        let root = try segments(home.percentEncodedPath).filter { !$0.isEmpty }
        guard path.starts(with: root) else { throw refusal() }
        var copy = request
        copy.target = .path(path.dropFirst(root.count).joined(separator: "/"))
        // A plus is a space in the queries of forms, which is what servers make.
        var words = page
        words.percentEncodedQuery = page.percentEncodedQuery?.replacing("+", with: "%20")
        copy.query = (words.queryItems ?? []).map { QueryItem($0.name, $0.value) }
        return copy
    }

    private static func port(_ address: URLComponents) -> Int {
        address.port ?? (address.scheme?.lowercased() == "http" ? 80 : 443)
    }

    /// The decoded parts of a path, none of which leads anywhere else.
    private static func segments(_ path: String) throws -> [String] {
        try path.split(separator: "/").map { part in
            var address = URLComponents()
            address.percentEncodedPath = String(part)
            let text = address.path
            guard !text.contains("/"), text != "..", text != ".", !text.isEmpty else {
                throw refusal()
            }
            return text
        }
    }
}
#endif
