#if RequestCore
import DataRequestCore
import SkiathosPlatformFoundation

/// The address of a page that a server has named.
enum PageAddress {
    static func refusal() -> DataRequestError {
        DataRequestError(
            .invalidPage,
            "The server named a next page whose address is not valid, or not below the base URL. It was not requested, since the request would carry the credentials of the base host."
        )
    }

    /// The request with the address of a page, which must lie below the base URL.
    static func request(
        _ request: DataRequest, for url: URL, below base: URL
    ) throws -> DataRequest {
        guard let page = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let home = URLComponents(url: base, resolvingAgainstBaseURL: true),
            page.scheme?.lowercased() == home.scheme?.lowercased(),
            page.host?.lowercased() == home.host?.lowercased(), let port = url.checkedPort,
            port == base.checkedPort, page.user == nil, page.password == nil
        else { throw refusal() }
        let root = try segments(home.percentEncodedPath)
        let parts = try segments(page.percentEncodedPath)
        guard parts.count >= root.count, zip(parts, root).allSatisfy({ $0.equals($1) }) else {
            throw refusal()
        }
        var path = parts.dropFirst(root.count).joined(separator: "/")
        // A path with a slash at its end is another one.
        if page.percentEncodedPath.ends(with: "/") { path += "/" }
        do { _ = try PathEncoding.encoded(path) } catch { throw refusal() }
        var copy = request
        copy.target = .path(path)
        // Servers write queries as forms, in which a plus is a space.
        var components = page
        components.percentEncodedQuery = page.percentEncodedQuery?.parts(at: "+")
            .joined(separator: "%20")
        copy.query = (components.queryItems ?? []).map { QueryItem($0.name, $0.value) }
        return copy
    }

    /// The decoded segments of a path, none of which leaves it.
    private static func segments(_ path: String) throws -> [String] {
        var parts = path.parts(at: "/")
        if parts.first?.isEmpty == true { parts.removeFirst() }
        if parts.last?.isEmpty == true { parts.removeLast() }
        return try parts.map { part in
            guard let text = PathEncoding.decoded(part), !text.isEmpty, !text.has("/"),
                !text.equals(".."), !text.equals(".")
            else { throw refusal() }
            return text
        }
    }
}
#endif
