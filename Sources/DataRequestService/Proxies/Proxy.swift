#if Requests
import DataRequestCore
import PlatformFoundation

extension AsyncHTTPTransport {
    /// What passes requests on to their servers.
    ///
    /// ```swift
    /// configuration.proxy = .http(host: "proxy.example.com", port: 3128)
    /// // https: CONNECT api.example.com:443, and TLS with the pins' check inside
    /// // http:  GET http://api.example.com/tracks, which the proxy reads
    /// configuration.proxy = try .environment()   // as https_proxy, http_proxy and no_proxy say
    /// ```
    public struct Proxy: Sendable, CustomStringConvertible, CustomReflectable {
        /// A proxy, and how it is spoken to.
        struct Server: Sendable, Hashable {
            enum Kind: Sendable, Hashable { case http, socks5 }

            let kind: Kind
            let host: String
            let port: Int
            var user: String?
            var password = ""
        }

        /// What passes on requests without TLS; nil if they go directly.
        let plain: Server?
        /// What passes on requests over TLS; nil if they go directly.
        let secure: Server?
        /// Where requests go directly.
        var exceptions: [ProxyException] = []

        init(plain: Server?, secure: Server?) {
            self.plain = plain
            self.secure = secure
        }

        /// A proxy that speaks HTTP, with basic credentials if it wants them.
        ///
        /// Requests over TLS pass through a tunnel that is asked for by `CONNECT`, so the proxy sees
        /// the host alone. Those without TLS are sent to it with their whole address, and with
        /// everything in them for it to see.
        ///
        /// - Parameters:
        ///   - host: The proxy's name or address.
        ///   - port: Its port, from 1 to 65535.
        ///   - credentials: A user and a password, which go to the proxy alone.
        public static func http(
            host: String, port: Int, credentials: (user: String, password: String)? = nil
        ) -> Proxy {
            let server = Server(
                kind: .http, host: host, port: port, user: credentials?.user,
                password: credentials?.password ?? "")
            return Proxy(plain: server, secure: server)
        }

        /// A proxy that speaks SOCKS 5, without credentials; it resolves the names of hosts itself.
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
        /// - Parameter hosts: Each a name, which stands for those below it too, with or without `.` or
        ///   `*.` before it; an address; a range of addresses such as `10.0.0.0/8`; one of these with
        ///   `:` and a port; or `*` for all. Names are compared and not resolved. What is none of these
        ///   names no host.
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

        /// Throws `invalidPolicy` if a port is out of its range, or a host is none.
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

    /// What the proxy asks for in `Proxy-Authorization`.
    var authorization: String? {
        user.map { "Basic \(Data("\($0):\(password)".utf8).base64EncodedString())" }
    }

    /// What asks an HTTP proxy for a tunnel; nil for others.
    func tunnelRequest(to host: String, _ port: Int) -> String? {
        guard kind == .http else { return nil }
        let target = "\(HostPattern.bracketed(host)):\(port)"
        let credentials = authorization.map { "Proxy-Authorization: \($0)\r\n" } ?? ""
        return "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\(credentials)\r\n"
    }
}
#endif
