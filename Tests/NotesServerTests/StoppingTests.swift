#if Macros && Requests
import Foundation
import SkiathosLocks
import ServerTestKit
import Synchronization
import TestSupport
import Testing

@testable import NotesServerKit

/// The server in a process of its own, which gets a stop signal under load.
@Suite(.serialized, .generousTimeLimit) struct StoppingTests {
    private static let clients = 8
    /// How many notes are answered when the signal comes, so that there is a load to speak of.
    private static let load = 600

    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal under load loses no answered write`(signal: Int32) async throws {
        let files = try StoreFiles()
        let server = try ServerProcess(store: files.path)
        let port = try #require(await server.port())
        let trigger = Trigger(signal: signal, process: server.id, after: Self.load)
        let report = await Self.post(to: port, trigger)
        let outcome = try await server.outcome()
        let duration = try #require(trigger.sent).duration(to: .now)
        print(
            "\(report.acknowledged.count) notes answered, \(Self.load) of them before the signal;",
            "\(report.refused.count) refused, \(report.unanswered.count) without an answer;",
            "\(duration) from the signal to the exit, of \(ServerProcess.deadline)")

        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(!outcome.wasKilled)
        #expect(outcome.output == "Stopped; the store is closed.\n")
        #expect(duration < ServerProcess.deadline)
        #expect(report.problems == [])
        #expect(report.acknowledged.count >= Self.load)
        #expect(files.logSize == 0)
        // What was answered is there as it was answered, and nothing else is.
        #expect(try await files.notes() == report.acknowledged.sorted { $0.id < $1.id })
    }

    @Test func `the exit code shows that a second signal has had requests refused`() async throws {
        let files = try StoreFiles()
        let server = try ServerProcess(store: files.path)
        let port = try #require(await server.port())
        let trigger = Trigger(signal: SIGTERM, process: server.id, after: Self.load, times: 2)
        let report = await Self.post(to: port, trigger)
        let outcome = try await server.outcome()
        #expect(!outcome.wasKilled)
        if outcome.exitCode == 0 {
            #expect(report.refused.isEmpty)
        } else {
            #expect(outcome.errors.contains("answered 503") || outcome.errors.contains("refused"))
        }
        let stored = Set(try await files.notes().map(\.id))
        #expect(report.acknowledged.allSatisfy { stored.contains($0.id) })
    }

    @Test func `connections without a request do not delay the shutdown`() async throws {
        let files = try StoreFiles()
        let server = try ServerProcess(store: files.path)
        let port = try #require(await server.port())
        let idle = try Connection(port: port)
        let used = try Connection(port: port)
        #expect(try used.send("GET", "/health").status == 200)
        server.send(SIGTERM)
        #expect(try await server.outcome().exitCode == 0)
        #expect(throws: Connection.Failure.unanswered) { try idle.send("GET", "/health") }
        #expect(throws: Connection.Failure.unanswered) { try used.send("GET", "/health") }
    }

    @Test func `a client that stops sending amid its request is disconnected`() async throws {
        let files = try StoreFiles()
        let server = try ServerProcess(store: files.path, ["--idle-timeout", "1"])
        let port = try #require(await server.port())
        let silent = try Connection(port: port)
        try silent.sendAll(Data("POST /notes HTTP/1.1\r\nContent-Length: 100\r\n\r\n{".utf8))
        // The server accepts connections in their order, so it has the silent one when it answers a
        // later one. On a busy machine, a second may be over before that one's request is sent.
        var isAnswered = false
        while !isAnswered {
            isAnswered = try Self.isAnswered(Connection(port: port))
        }
        server.send(SIGTERM)
        #expect(try await server.outcome().exitCode == 0)
        #expect(try await files.notes() == [])
    }

    /// Posts notes with several clients until the server stops listening, so the load does not cease before.
    private static func post(to port: UInt16, _ trigger: Trigger) async -> Client.Report {
        await withTaskGroup(of: Client.Report.self) { group in
            for number in 0..<clients {
                group.addTask {
                    await blocking {
                        Client(number: number, port: port).run { trigger.noteAnswer() }
                    }
                }
            }
            return await group.reduce(Client.Report(), +)
        }
    }

    /// Whether the server answers on a connection, which it may have closed.
    private static func isAnswered(_ connection: Connection) throws -> Bool {
        do {
            return try connection.send("GET", "/health").status == 200
        } catch Connection.Failure.unanswered {
            return false
        }
    }
}

/// Sends a signal to a process when a number of notes was answered.
private final class Trigger: Sendable {
    private let signal: Int32
    private let process: Int32
    private let load: Int
    private let times: Int
    private let state = Lock((answers: 0, sent: ContinuousClock.Instant?.none))

    init(signal: Int32, process: Int32, after load: Int, times: Int = 1) {
        (self.signal, self.process, self.load, self.times) = (signal, process, load, times)
    }

    /// When the signal was sent; `nil` if the load was not reached.
    var sent: ContinuousClock.Instant? { state.withLock { $0.sent } }

    func noteAnswer() {
        let isDue = state.withLock { state in
            state.answers += 1
            if state.answers == load { state.sent = .now }
            return state.answers == load
        }
        guard isDue else { return }
        for _ in 0..<times { kill(process, signal) }
    }
}
#endif
