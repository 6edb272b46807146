#if Macros && Requests
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import Skiathos

/// The shop's server, which can be stopped and started again on its store and port.
struct ShopServer: Sendable {
    /// Where it listens.
    let port: Int
    private let group: ServiceGroup
    private let task: Task<Void, any Error>

    /// Starts the server and returns when it accepts connections.
    ///
    /// - Parameters:
    ///   - dal: Its store.
    ///   - port: Where to listen; 0 chooses a free port.
    static func start(_ dal: DataAccessLayer, port: Int = 0) async throws -> ShopServer {
        var logger = Logger(label: "shop")
        logger.logLevel = .critical
        let router = Router()
        ShopController(dal: dal).addRoutes(to: router)
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in
                listening.yield(channel.localAddress?.port ?? port)
            }, logger: logger)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [application], logger: logger))
        let task = Task {
            defer { listening.finish() }
            try await group.run()
        }
        for await port in ports { return ShopServer(port: port, group: group, task: task) }
        try await task.value
        throw CancellationError()
    }

    /// Stops the server; its store stays open.
    func stop() async throws {
        await group.triggerGracefulShutdown()
        try await task.value
    }
}
#endif
