#if Requests
import DataRequestCore
public import SkiathosPlatformFoundation

extension AsyncHTTPTransport.Proxy {
    /// The proxies that the variables of the environment name, as other programs read them.
    ///
    /// ```sh
    /// https_proxy=http://ada:secret@proxy.example.com:3128 no_proxy=.internal,10.0.0.0/8 ./program
    /// ```
    ///
    /// - `http_proxy` is for requests without TLS, `https_proxy` for those over TLS, and
    ///   `all_proxy` for both kinds where the specific variable is not set. An empty variable
    ///   names no proxy.
    /// - `no_proxy` has the hosts to which requests go directly, separated by commas, each as
    ///   ``except(_:)`` takes them. Requests to this machine always go directly: `localhost`, names below
    ///   it, `127.0.0.0/8` and `::1`.
    /// - A name in lower case wins over the same one in upper case. `HTTP_PROXY` is ignored
    ///   where `REQUEST_METHOD` is set: in a CGI program it is a header of the client's.
    ///
    /// A proxy is written `http://host:port` or `socks5://host:port`, with `user:password@` before the
    /// host of an HTTP proxy, percent-encoded. Without a scheme it is one of HTTP; without a port, it is
    /// 80, or 1080 for SOCKS.
    ///
    /// - Parameter variables: The variables by their names; those of the process unless given.
    /// - Throws: `invalidPolicy`, naming the variable and not its value, for a proxy that
    ///   cannot be parsed, a proxy over TLS, or SOCKS with credentials.
    public static func environment(
        _ variables: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> AsyncHTTPTransport.Proxy {
        func server(_ name: String) throws -> Server? {
            let upper = name.uppercased()
            if let value = variables[name] { return try Server(value, variable: name) }
            if name == "http_proxy", variables["REQUEST_METHOD"] != nil { return nil }
            return try variables[upper].flatMap { try Server($0, variable: upper) }
        }
        let all = try server("all_proxy")
        var proxy = AsyncHTTPTransport.Proxy(
            plain: try server("http_proxy") ?? all, secure: try server("https_proxy") ?? all)
        let items = variables["no_proxy"] ?? variables["NO_PROXY"] ?? ""
        proxy.exceptions = [.loopback] + items.parts(at: ",").compactMap(ProxyException.init)
        return proxy
    }
}

extension AsyncHTTPTransport.Proxy.Server {
    /// Reads the value of a variable; nil for an empty one.
    fileprivate init?(_ text: String, variable: String) throws {
        let text = text.trimmed
        guard !text.isEmpty else { return nil }
        func refusal(_ found: String) -> DataRequestError {
            DataRequestError(
                .invalidPolicy,
                "Expected http://host:port or socks5://host:port in the variable \(variable), found "
                    + "\(found). Set it to one of these, or to nothing.")
        }
        let (scheme, rest) = Self.split(text)
        let authority = rest.prefix(before: { $0 == UInt8(ascii: "/") })
        switch scheme.lowercased() {
        case "http": kind = .http
        case "socks5", "socks5h", "socks": kind = .socks5
        case "https": throw refusal("a proxy over TLS, which is not supported")
        default: throw refusal("another scheme")
        }
        var place = authority
        if let sign = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
            guard kind == .http else {
                throw refusal("credentials for SOCKS, which are not supported")
            }
            let credentials = String(decoding: authority.utf8[..<sign], as: UTF8.self)
            place = String(decoding: authority.utf8[sign...].dropFirst(), as: UTF8.self)
            let user = credentials.prefix(before: { $0 == UInt8(ascii: ":") })
            guard let name = user.percentDecoded,
                let word = credentials.dropping(first: user.utf8.count + 1).percentDecoded
            else { throw refusal("credentials that are not percent-encoded") }
            self.user = name
            password = word
        }
        guard let (host, port) = Self.place(place) else { throw refusal("no host, or no port") }
        self.host = host
        self.port = port ?? (kind == .http ? 80 : 1_080)
    }

    private static func split(_ text: String) -> (scheme: String, rest: String) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
            text.utf8[colon...].starts(with: "://".utf8)
        else { return ("http", text) }
        return (
            String(decoding: text.utf8[..<colon], as: UTF8.self),
            String(decoding: text.utf8[colon...].dropFirst(3), as: UTF8.self)
        )
    }

    /// Reads `host`, `host:port`, `[::1]` or `[::1]:port`; nil if the text is none of these.
    private static func place(_ text: String) -> (host: String, port: Int?)? {
        var (host, behind) = (text, "")
        if text.begins(with: "[") {
            guard let end = text.utf8.lastIndex(of: UInt8(ascii: "]")) else { return nil }
            host = String(decoding: text.utf8[..<end].dropFirst(), as: UTF8.self)
            behind = String(decoding: text.utf8[end...].dropFirst(), as: UTF8.self)
            guard host.isAddress else { return nil }
        } else if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
            host = String(decoding: text.utf8[..<colon], as: UTF8.self)
            behind = String(decoding: text.utf8[colon...], as: UTF8.self)
        }
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else { return nil }
        if behind.isEmpty || behind.equals(":") { return (host, nil) }
        guard behind.begins(with: ":"), let port = behind.dropping(first: 1).digits,
            (1...65_535).contains(port)
        else { return nil }
        return (host, port)
    }
}

extension String {
    /// The percent-decoded text; nil if the encoding is broken or the bytes are not UTF-8.
    fileprivate var percentDecoded: String? {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, digits.utf8.allSatisfy({ $0 > 47 }),
                let decoded = UInt8(digits, radix: 16)
            else { return nil }
            bytes.append(decoded)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
#endif
