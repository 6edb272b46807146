import Hummingbird
import Logging
import ServiceLifecycle
import ShelfKit
import SkiathosLifecycle

@main struct Server {
    static func main() async throws {
        let logger = Logger(label: "shelfd")
        let shelf = try await Shelf.open("shelf.sqlite")

        let router = Router(context: ShelfContext.self)
        router.add(middleware: Refusals())
        Routes(shelf: shelf).add(to: router)
        let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8080
        let server = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            logger: logger)

        // A group stops its services in reverse order: the store, the first, stops last.
        var services = ServiceGroupConfiguration(
            services: [shelf.dal, server], gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger)
        services.maximumGracefulShutdownDuration = .seconds(20)
        try await ServiceGroup(configuration: services).run()
        print("Stopped; the store is closed.")
    }
}
