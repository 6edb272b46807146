#if Requests
import DataRequestCore
import SkiathosPlatformFoundation

extension AsyncHTTPTransport {
    /// The proxy of a transport.
    ///
    /// ```swift
    /// configuration.proxy = .http(host: "proxy.example.com", port: 3128)
    /// // https: CONNECT api.example.com:443, and TLS with the pins' check inside
    /// // http:  GET http://api.example.com/tracks, which the proxy reads
    /// configuration.proxy = try .environment()   // as https_proxy, http_proxy and no_proxy say
    /// ```
    public struct Proxy: Sendable, CustomStringConvertible, CustomReflectable {
        /// The address and the protocol of a proxy.
        struct Server: Sendable, Hashable {
            enum Kind: Sendable, Hashable { case http, socks5 }

            let kind: Kind
            let host: String
            let port: Int
            var user: String?
            var password = ""
        }

        /// The proxy for requests without TLS; nil if they go directly.
        let plain: Server?
        /// The proxy for requests over TLS; nil if they go directly.
        let secure: Server?
        /// The hosts to which requests go directly.
        var exceptions: [ProxyException] = []

        init(plain: Server?, secure: Server?) {
            self.plain = plain
            self.secure = secure
        }

        /// An HTTP proxy, with optional basic credentials.
        ///
        /// Requests over TLS pass through a tunnel opened by `CONNECT`, so the proxy sees only
        /// the host. Requests without TLS are sent to the proxy with their whole address, and
        /// the proxy can read everything in them.
        ///
        /// - Parameters:
        ///   - host: The proxy's name or address.
        ///   - port: Its port, from 1 to 65535.
        ///   - credentials: A user and a password, which are sent only to the proxy.
        public static func http(
            host: String, port: Int, credentials: (user: String, password: String)? = nil
        ) -> Proxy {
            let server = Server(
                kind: .http, host: host, port: port, user: credentials?.user,
                password: credentials?.password ?? "")
            return Proxy(plain: server, secure: server)
        }

        /// A SOCKS 5 proxy without credentials; it resolves host names itself.
        public static func socks5(host: String, port: Int = 1080) -> Proxy {
            let server = Server(kind: .socks5, host: host, port: port)
            return Proxy(plain: server, secure: server)
        }

        /// The same proxy, except for some hosts, to which requests go directly.
        ///
        /// ```swift
        /// configuration.proxy = .http(host: "proxy.example.com", port: 3128)
        ///     .except("internal.example.com", "10.0.0.0/8", "localhost")
        /// ```
        ///
        /// - Parameter hosts: Each is a name, which includes its subdomains, with or without
        ///   `.` or `*.` before it; an address; a range of addresses such as `10.0.0.0/8`; one
        ///   of these with `:` and a port; or `*` for all. Names are compared and not
        ///   resolved. Any other text matches no host.
        public func except(_ hosts: String...) -> Proxy {
            var proxy = self
            proxy.exceptions += hosts.compactMap(ProxyException.init)
            return proxy
        }

        /// The addresses without credentials.
        public var description: String {
            guard plain != secure else { return plain.map(\.description) ?? "none" }
            let shown = [plain, secure].map { $0?.description ?? "none" }
            return "http by \(shown[0]), https by \(shown[1])"
        }

        /// Shows nothing, so that no password is printed.
        public var customMirror: Mirror { Mirror(self, children: [:]) }

        /// Throws `invalidPolicy` if a port is out of range, or a host is not valid.
        func check() throws {
            for server in [plain, secure].compactMap(\.self) {
                guard (1...65_535).contains(server.port) else {
                    throw DataRequestError(
                        .invalidPolicy,
                        "Expected a port of the proxy from 1 to 65535, found \(server.port).")
                }
                guard !server.host.isEmpty else {
                    throw DataRequestError(
                        .invalidPolicy, "Expected a host of the proxy, found an empty text.")
                }
            }
        }
    }
}

extension AsyncHTTPTransport.Proxy.Server: CustomStringConvertible, CustomReflectable {
    /// The address without credentials.
    var description: String { "\(kind)://\(HostPattern.bracketed(host)):\(port)" }

    /// Shows nothing, so that no password is printed.
    var customMirror: Mirror { Mirror(self, children: [:]) }

    /// The value of `Proxy-Authorization`.
    var authorization: String? {
        user.map { "Basic \(Data("\($0):\(password)".utf8).base64EncodedString())" }
    }

    /// The request for a tunnel of an HTTP proxy; nil for others.
    func tunnelRequest(to host: String, _ port: Int) -> String? {
        guard kind == .http else { return nil }
        let target = "\(HostPattern.bracketed(host)):\(port)"
        let credentials = authorization.map { "Proxy-Authorization: \($0)\r\n" } ?? ""
        return "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\(credentials)\r\n"
    }
}
#endif
