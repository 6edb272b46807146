#if Macros && Hummingbird
import Foundation
import Logging
import ServerTestKit
import ServiceLifecycle
import Skiathos
import SkiathosTesting
import Testing

@testable import LiveBoardKit

/// The board in this process, for one test.
struct TestBoard {
    let dal: DataAccessLayer
    let port: UInt16

    /// Sends a request on a connection of its own.
    func ask(
        _ method: String, _ path: String, _ body: String? = nil,
        type: String = "application/json"
    ) async throws -> Answer {
        try await blocking { [port] in
            Result {
                try Connection(port: port).send(
                    method, path, body: body.map { Data($0.utf8) },
                    headers: body == nil ? [:] : ["Content-Type": type])
            }
        }.get()
    }

    func add(_ title: String, _ stage: String = "todo", id: UUID = UUID()) async throws -> Card {
        let answer = try await ask(
            "PUT", "/cards/\(id)", #"{"title":"\#(title)","stage":"\#(stage)"}"#)
        return try answer.card()
    }

    /// The titles in a column, in order.
    func titles(_ stage: Stage = .todo) async throws -> [String] {
        try await ask("GET", "/cards").cards().filter { $0.stage == stage }.map(\.title)
    }
}

extension Answer {
    func card() throws -> Card { try JSONDecoder().decode(Card.self, from: body) }

    func cards() throws -> [Card] { try JSONDecoder().decode([Card].self, from: body) }
}

/// Runs the board with an empty store while a test uses it, and stops it in order.
func withBoard(_ body: (TestBoard) async throws -> Void) async throws {
    let directory = try TemporaryDirectory()
    let dal = try await DataAccessLayer.open(
        .sqlite(directory.file("board.sqlite")), entities: Card.self)
    let (ports, listening) = AsyncStream.makeStream(of: Int.self)
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let application = try makeApplication(dal, host: "127.0.0.1", port: 0, logger: logger) {
        listening.yield($0)
    }
    let group = ServiceGroup(
        configuration: ServiceGroupConfiguration(services: [application], logger: logger))
    let running = Task {
        defer { listening.finish() }
        try await group.run()
    }
    let port = try #require(await ports.first { _ in true })
    let result: Result<Void, any Error>
    do {
        result = .success(try await body(TestBoard(dal: dal, port: UInt16(port))))
    } catch {
        result = .failure(error)
    }
    await group.triggerGracefulShutdown()
    let ended = await running.result
    try result.get()
    try ended.get()
}
#endif
