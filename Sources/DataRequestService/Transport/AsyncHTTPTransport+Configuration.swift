#if Requests
import DataRequestCore

extension AsyncHTTPTransport {
    /// How connections are made and kept.
    public struct Configuration: Sendable {
        /// Versions of HTTP that are spoken over TLS.
        public enum Versions: Sendable, Hashable {
            /// HTTP/2 where the server offers it, else HTTP/1.1.
            case automatic
            /// HTTP/1.1 alone.
            case http1
        }

        /// How long making a connection may take, the handshake of TLS included; more than zero.
        public var connectLimit: Duration = .seconds(10)
        /// How long a request may wait while all connections to its host are in use, or all streams of
        /// HTTP/2; more than zero.
        ///
        /// The wait is no part of ``connectLimit`` and of the limit for an answer, and is in the order of
        /// the requests. Its end is looked for each time that the connect limit passes.
        public var waitingLimit: Duration = .seconds(300)
        /// How long a connection is kept that nothing uses; more than zero.
        public var idleConnectionLimit: Duration = .seconds(60)
        /// How many connections of HTTP/1.1 to one host there are at a time, from 1; further requests
        /// wait.
        public var connectionsPerHost = 8
        /// Versions of HTTP that are spoken over TLS.
        public var versions = Versions.automatic
        /// What stands between, if the servers are not reached directly.
        public var proxy: Proxy?

        /// Makes a configuration with the defaults.
        public init() {}

        /// Throws `invalidPolicy` if a limit or a port is out of its range.
        func check() throws {
            guard connectLimit > .zero, waitingLimit > .zero, idleConnectionLimit > .zero,
                connectionsPerHost > 0
            else {
                throw DataRequestError(
                    .invalidPolicy,
                    "Expected limits of connections above zero, found connectLimit \(connectLimit), "
                        + "waitingLimit \(waitingLimit), idleConnectionLimit \(idleConnectionLimit), "
                        + "connectionsPerHost \(connectionsPerHost).")
            }
            guard let proxy, !(1...65_535).contains(proxy.port) else { return }
            throw DataRequestError(
                .invalidPolicy,
                "Expected a port of the proxy from 1 to 65535, found \(proxy.port).")
        }
    }

    /// A server that passes requests on.
    ///
    /// ```swift
    /// configuration.proxy = .http(host: "proxy.example.com", port: 3128)
    /// // CONNECT api.example.com:443, and TLS with the pins' check inside
    /// ```
    public struct Proxy: Sendable, CustomStringConvertible, CustomReflectable {
        enum Kind { case http, socks5 }

        let kind: Kind
        let host: String
        let port: Int
        let credentials: (user: String, password: String)?

        /// A proxy that takes `CONNECT`, with basic credentials if it wants them.
        public static func http(
            host: String, port: Int, credentials: (user: String, password: String)? = nil
        ) -> Proxy { Proxy(kind: .http, host: host, port: port, credentials: credentials) }

        /// A proxy that speaks SOCKS 5, without credentials.
        public static func socks5(host: String, port: Int = 1080) -> Proxy {
            Proxy(kind: .socks5, host: host, port: port, credentials: nil)
        }

        /// The address without credentials.
        public var description: String { "\(kind)://\(host):\(port)" }
        /// Shows nothing, so that no password is printed.
        public var customMirror: Mirror { Mirror(self, children: [:]) }
    }
}
#endif
