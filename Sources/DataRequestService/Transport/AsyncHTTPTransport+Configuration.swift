#if Requests
import DataRequestCore

extension AsyncHTTPTransport {
    /// The configuration of connections.
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
        /// The wait counts neither towards ``connectLimit`` nor towards the response limit.
        /// Requests wait in their order. The limit is checked each time that the connect limit
        /// passes.
        public var waitingLimit: Duration = .seconds(300)
        /// How long an idle connection is kept open; more than zero.
        public var idleConnectionLimit: Duration = .seconds(60)
        /// How long the body of a request with `Expect: 100-continue` waits for an answer of
        /// the server; more than zero.
        public var continueLimit: Duration = .seconds(1)
        /// The largest number of HTTP/1.1 connections to one host, from 1; further requests
        /// wait.
        public var connectionsPerHost = 8
        /// Versions of HTTP that are spoken over TLS.
        public var versions = Versions.automatic
        /// The proxy, if servers are not reached directly; `try .environment()` reads the
        /// environment's variables.
        public var proxy: Proxy?

        /// Makes a configuration with the defaults.
        public init() {}

        /// Throws `invalidPolicy` if a limit or a port is out of its range, or a proxy has no host.
        func check() throws {
            guard connectLimit > .zero, waitingLimit > .zero, idleConnectionLimit > .zero,
                connectionsPerHost > 0, continueLimit > .zero
            else {
                throw DataRequestError(
                    .invalidPolicy,
                    "Expected limits of connections above zero, found connectLimit \(connectLimit), "
                        + "waitingLimit \(waitingLimit), idleConnectionLimit \(idleConnectionLimit), "
                        + "continueLimit \(continueLimit), connectionsPerHost \(connectionsPerHost)."
                )
            }
            try proxy?.check()
        }
    }
}
#endif
