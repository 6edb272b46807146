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
        /// How long the body of a request with `Expect: 100-continue` is held back while the server says
        /// nothing; more than zero.
        public var continueLimit: Duration = .seconds(1)
        /// How many connections of HTTP/1.1 to one host there are at a time, from 1; further requests
        /// wait.
        public var connectionsPerHost = 8
        /// Versions of HTTP that are spoken over TLS.
        public var versions = Versions.automatic
        /// What stands between, if the servers are not reached directly; `try .environment()` for what
        /// the variables of the environment say.
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
