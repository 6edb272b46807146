#if Macros && Hummingbird
import Hummingbird
import Logging
import Skiathos
import SkiathosHummingbird
import SkiathosLifecycle

/// The board as an application, which has the store stopped after the last request.
///
/// - Parameter whenListening: Gets the port, once connections are accepted.
func makeApplication(
    _ dal: DataAccessLayer, host: String, port: Int,
    events: ServerSentEventOptions = ServerSentEventOptions(retry: .seconds(1)), logger: Logger,
    whenListening: @escaping @Sendable (Int) -> Void
) throws -> some ApplicationProtocol {
    let router = Router(context: BoardContext.self)
    router.add(middleware: Answers())
    try PageFiles().addRoutes(to: router)
    BoardController(dal: dal, events: events).addRoutes(to: router)
    return Application(
        router: router,
        // A client that falls silent in the middle of a request cannot hold the shutdown up; streams
        // that are open do not count as silent.
        server: .http1(configuration: .init(idleTimeout: .seconds(5))),
        configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
        // Services stop in reverse order, and Hummingbird's server comes behind these.
        services: [dal],
        onServerRunning: { channel in
            if let port = channel.localAddress?.port { whenListening(port) }
        },
        logger: logger)
}
#endif
