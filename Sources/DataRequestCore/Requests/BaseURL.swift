#if RequestCore
import SkiathosPlatformFoundation

/// The address of an environment, checked and parsed once.
struct BaseURL: Sendable {
    /// Scheme, host and port, which identify the base host.
    let origin: Origin
    /// Everything before the first segment of a path below, without a slash at the end.
    let prefix: String

    /// - Throws: `invalidConfiguration` for an address that is not absolute, not http or https, or
    ///   has a user, a query or a fragment.
    init(_ url: URL) throws {
        guard let origin = Origin(url) else {
            throw Self.refusal(
                "is not an absolute http or https address with a host in ASCII and, if it names one, "
                    + "a port from 1 to 65535")
        }
        guard url.user == nil, url.password == nil else {
            throw Self.refusal("has a user or a password; use an authoriser instead")
        }
        guard url.query == nil, url.fragment == nil else {
            throw Self.refusal("has a query or a fragment")
        }
        var path = url.path(percentEncoded: true)
        while path.ends(with: "/") { path = path.dropping(last: 1) }
        guard !PathEncoding.hasDotSegments(path) else {
            throw Self.refusal("has segments of dots in its path")
        }
        self.origin = origin
        prefix = origin.description + path
    }

    private static func refusal(_ finding: String) -> DataRequestError {
        DataRequestError(
            .invalidConfiguration,
            "The base URL \(finding). Give one such as https://api.example.com/v1.")
    }
}

/// Where a server is: the scheme, the host in lower case and the port.
struct Origin: Hashable, Sendable, CustomStringConvertible {
    let scheme: String
    let host: String
    let port: Int

    /// Nil unless the address is absolute, http or https, has a host in ASCII (what stands for another,
    /// `xn--…`, is not made up here), and names no port or one that there can be.
    init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), scheme == "https" || scheme == "http",
            let host = url.host(percentEncoded: true)?.lowercased(), !host.isEmpty,
            !host.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 > 127 }),
            let port = url.checkedPort
        else { return nil }
        self.scheme = scheme
        self.host = host.has(":") && !host.begins(with: "[") ? "[\(host)]" : host
        self.port = port
    }

    var isSecure: Bool { scheme == "https" }

    var description: String {
        let isUsual = port == (isSecure ? 443 : 80)
        return isUsual ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }
}
#endif
