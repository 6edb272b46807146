#if Macros && Requests
import Foundation
import Logging
import ServerTestKit
import ServiceLifecycle
import Skiathos
import SkiathosTesting
import Testing

@testable import NotesServerKit

/// The service in this process, for one test.
struct Service {
    let dal: DataAccessLayer
    let port: UInt16

    /// Sends a request on a connection of its own.
    func ask(_ method: String, _ path: String, _ body: String? = nil) async throws -> Answer {
        try await blocking { [port] in
            Result {
                try Connection(port: port).send(method, path, body: body.map { Data($0.utf8) })
            }
        }.get()
    }

    /// Sends a note as JSON.
    func post(_ text: String, _ query: String = "") async throws -> Answer {
        let body = try JSONEncoder().encode(["text": text])
        return try await ask("POST", "/notes\(query)", String(decoding: body, as: UTF8.self))
    }
}

/// Runs the service with an empty store while a test uses it, and stops it in order.
func withService(
    maximumWaitingWrites: Int = 1_000, _ body: (Service) async throws -> Void
) async throws {
    let directory = try TemporaryDirectory()
    var configuration = Configuration()
    configuration.maximumWaitingWrites = maximumWaitingWrites
    let dal = try await DataAccessLayer.open(
        .sqlite(directory.file("notes.sqlite")), entities: Note.self, configuration: configuration)
    let (ports, listening) = AsyncStream.makeStream(of: Int.self)
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let application = makeApplication(
        dal, host: "127.0.0.1", port: 0,
        idleTimeout: Int(ServerProcess.deadline.components.seconds), logger: logger
    ) { listening.yield($0) }
    let group = ServiceGroup(
        configuration: ServiceGroupConfiguration(services: [application], logger: logger))
    let running = Task {
        defer { listening.finish() }
        try await group.run()
    }
    let port = try #require(await ports.first { _ in true })
    do {
        try await body(Service(dal: dal, port: UInt16(port)))
    } catch {
        // The test's own failure is the one to report.
        await group.triggerGracefulShutdown()
        _ = await running.result
        throw error
    }
    await group.triggerGracefulShutdown()
    try await running.value
}
#endif
