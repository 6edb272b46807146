#if Requests
import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL
import Testing

/// How a server of a test is reached.
enum Wire {
    case clear
    case tls(TLSConfiguration)
    case http2(TLSConfiguration)

    var scheme: String {
        if case .clear = self { "http" } else { "https" }
    }
}

/// Runs a server on loopback while the closure runs, and hands it the base URL.
@discardableResult
func withServer<Value: Sendable>(
    _ wire: Wire = .clear, host: String = "localhost", address: String = "127.0.0.1",
    routes: (Router<BasicRequestContext>) -> Void,
    run: @escaping @Sendable (URL) async throws -> Value
) async throws -> Value {
    let router = Router()
    routes(router)
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    var logger = Logger(label: "server")
    logger.logLevel = .critical
    let app = Application(
        router: router, server: try wire.builder(),
        configuration: .init(address: .hostname(address, port: 0)),
        onServerRunning: { port.yield($0.localAddress?.port ?? 0) }, logger: logger)
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            defer { port.finish() }
            try await app.run()
        }
        defer { group.cancelAll() }
        guard let number = await ports.first(where: { _ in true }) else {
            throw ServerNotStarted()
        }
        let url = try #require(URL(string: "\(wire.scheme)://\(host):\(number)"))
        return try await run(url)
    }
}

/// A server that did not say its port.
struct ServerNotStarted: Error {}

extension Wire {
    func builder() throws -> HTTPServerBuilder {
        switch self {
        case .clear: .http1()
        case .tls(let configuration): try .tls(.http1(), tlsConfiguration: configuration)
        case .http2(let configuration): try .http2Upgrade(tlsConfiguration: configuration)
        }
    }
}
#endif
