import Hummingbird
import Logging
import ShelfKit

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

        try await server.run()
    }
}
