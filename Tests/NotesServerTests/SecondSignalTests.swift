#if Macros && Requests
import Foundation
import GRDB
import ServerTestKit
import TestSupport
import Testing

@testable import NotesServerKit

@Suite(.generousTimeLimit) struct SecondSignalTests {
    /// How long SQLite lets a write wait for the lock of another program, before it fails.
    private static let patience = Duration.seconds(5)

    @Test(arguments: [SIGTERM, SIGINT])
    func `the second signal answers the writes that wait for the permit`(
        signal: Int32
    ) async throws {
        var durations: [Duration] = []
        while durations.count < 20 {
            let attempt = try await Attempt(signal)
            guard attempt.duration >= Self.patience else { return try attempt.check() }
            // The machine was so busy that the write may have given the lock up before the signal.
            durations.append(attempt.duration)
        }
        Issue.record(
            "The writes should be answered within \(Self.patience), and took \(durations).")
    }
}

/// A server that is stopped by two signals while the lock of another program holds its writes up.
private struct Attempt {
    /// The answer to the write that is one too many.
    private let crowded: Answer
    /// The answers to three writes after the second signal, while the lock is held.
    private let refused: [Answer]
    /// The answer to the write that was the last to be answered.
    private let last: Answer
    private let outcome: ServerProcess.Outcome
    private let logSize: Int
    private let notes: [Note]
    /// How long the lock was held, at least.
    let duration: Duration

    init(_ signal: Int32) async throws {
        let files = try StoreFiles()
        let server = try ServerProcess(store: files.path, ["--maximum-waiting-writes", "3"])
        let port = try #require(await server.port())
        let lock = try WriteLock(files.path)
        let start = ContinuousClock.now
        let (answers, continuation) = AsyncStream.makeStream(of: Result<Answer, any Error>.self)
        for number in 1...5 {
            Task { continuation.yield(await Self.post("note \(number)", to: port)) }
        }
        var received = answers.makeAsyncIterator()
        crowded = try #require(await received.next()).get()
        server.send(signal)
        // The first signal has taken effect when the server does not listen any more.
        while (try? Connection(port: port)) != nil { await Task.yield() }
        server.send(signal)
        var refused: [Answer] = []
        for _ in 1...3 { refused.append(try #require(await received.next()).get()) }
        self.refused = refused
        duration = start.duration(to: .now)
        try lock.release()
        last = try #require(await received.next()).get()
        outcome = try await server.outcome()
        logSize = files.logSize
        notes = try await files.notes()
    }

    func check() throws {
        // One holds the write permit and three wait, so all have arrived when the fifth is
        // refused.
        #expect(try crowded.message() == "Too many writes wait already.")
        // Of the four that were accepted, three are queued, and the one that holds the permit
        // is interrupted, unless its commit has begun.
        for answer in refused {
            #expect(answer.status == 503)
            #expect(answer.headers["connection"] == "close")
            #expect(try answer.message() == "The server is stopping.")
        }
        #expect([201, 503].contains(last.status))
        #expect(outcome.exitCode == EXIT_FAILURE)
        #expect(outcome.errors.contains("3 accepted calls were refused"))
        #expect(logSize == 0)
        #expect(notes == (last.status == 201 ? [try last.note()] : []))
    }

    private static func post(
        _ text: String, to port: UInt16
    ) async -> Result<Answer, any Error> {
        await blocking {
            Result {
                try Connection(port: port).send(
                    "POST", "/notes", body: try JSONEncoder().encode(["text": text]))
            }
        }
    }
}

/// Another program that holds the lock to write to a store.
private struct WriteLock {
    private let database: DatabaseQueue

    init(_ path: String) throws {
        var configuration = GRDB.Configuration()
        configuration.allowsUnsafeTransactions = true
        database = try DatabaseQueue(path: path, configuration: configuration)
        try database.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    }

    func release() throws { try database.inDatabase { try $0.execute(sql: "ROLLBACK") } }
}
#endif
