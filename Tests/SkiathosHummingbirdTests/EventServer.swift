#if Hummingbird
import Dispatch
import Hummingbird
import Logging
import ServerTestKit
import ServiceLifecycle
import Skiathos
import SkiathosHummingbird
import SkiathosLifecycle
import SkiathosTesting
import Testing

@testable import SkiathosCore

/// A server in this process that streams what a test has it stream.
struct EventServer: Sendable {
    let dal: DataAccessLayer
    let port: UInt16
    let group: ServiceGroup

    func open(
        lastEventID: String? = nil, gate: DispatchSemaphore? = nil
    ) async throws -> EventClient {
        try await EventClient.open(port: port, "/", lastEventID: lastEventID, gate: gate)
    }

    func add(_ title: String, rank: Int = 0) async throws -> Chore.ID {
        try await dal.write { context in
            try Chore.create(in: context) { chore in
                chore.title = title
                chore.rank = rank
            }.id
        }
    }

    /// Waits until as many queries are observed.
    func waitForObservers(_ count: Int) async {
        while dal.coordinator.main.observerCount != count { await Task.yield() }
    }
}

/// Runs a server with an empty store while a test uses it, and stops it in order.
///
/// - Parameter routes: Adds the routes that answer with streams.
func withEventServer(
    _ routes: (Router<BasicRequestContext>, DataAccessLayer) -> Void,
    _ body: (EventServer) async throws -> Void
) async throws {
    let directory = try TemporaryDirectory()
    let dal = try await DataAccessLayer.open(
        .sqlite(directory.file("chores.sqlite")), entities: Chore.self)
    let router = Router(context: BasicRequestContext.self)
    routes(router, dal)
    let (ports, listening) = AsyncStream.makeStream(of: Int.self)
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let application = Application(
        router: router,
        configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
        services: [dal],
        onServerRunning: { listening.yield($0.localAddress?.port ?? 0) }, logger: logger)
    let group = ServiceGroup(
        configuration: ServiceGroupConfiguration(services: [application], logger: logger))
    let running = Task {
        defer { listening.finish() }
        try await group.run()
    }
    let port = try #require(await ports.first { _ in true })
    let result: Result<Void, any Error>
    do {
        try await body(EventServer(dal: dal, port: UInt16(port), group: group))
        result = .success(())
    } catch {
        result = .failure(error)
    }
    await group.triggerGracefulShutdown()
    let ended = await running.result
    try result.get()
    try ended.get()
}
#endif
