#if Macros && Requests
import Hummingbird
import Logging
import Skiathos
import SkiathosLifecycle

/// The service as an application, which has the store stopped after the last request.
///
/// - Parameters:
///   - idleTimeout: After how many seconds without data the connection of a request is closed.
///   - refusals: Counts the requests that are refused since the server is stopping.
///   - whenListening: Gets the port, once connections are accepted.
func makeApplication(
    _ dal: DataAccessLayer, host: String, port: Int, idleTimeout: Int = 5, logger: Logger,
    refusals: Refusals = Refusals(),
    whenListening: @escaping @Sendable (Int) -> Void
) -> some ApplicationProtocol {
    let router = Router(context: NotesContext.self)
    router.add(middleware: LastAnswers())
    router.add(middleware: ErrorsAsJSON(refusals: refusals))
    NotesController(dal: dal).addRoutes(to: router)
    return Application(
        router: router,
        // A client that falls silent in the middle of a request cannot hold the shutdown up.
        server: .http1(configuration: .init(idleTimeout: .seconds(Int64(idleTimeout)))),
        configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
        // Services stop in reverse order, and Hummingbird's server comes behind these.
        services: [dal],
        onServerRunning: { channel in
            if let port = channel.localAddress?.port { whenListening(port) }
        },
        logger: logger)
}
#endif
