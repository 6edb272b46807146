#if Macros && Requests
import Foundation
import GRDB
import Testing

@testable import NotesServerKit

@Suite(.timeLimit(.minutes(30))) struct SecondSignalTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func `the second signal answers the writes that wait for their turn`(
        signal: Int32
    ) async throws {
        let files = try StoreFiles()
        let server = try ServerProcess(store: files.path, ["--maximum-waiting-writes", "3"])
        let port = try #require(await server.port())
        let lock = try WriteLock(files.path)
        let (answers, continuation) = AsyncStream.makeStream(of: Answer.self)
        for number in 1...5 {
            Task { continuation.yield(try await post("note \(number)", to: port)) }
        }
        var received = answers.makeAsyncIterator()
        // One has its turn and three wait, so all have arrived when the fifth is refused.
        let crowded = try #require(await received.next())
        #expect(try crowded.message() == "Too many writes wait already.")
        server.send(signal)
        // The first signal has taken effect when nobody listens any more.
        while (try? Connection(port: port)) != nil { await Task.yield() }
        server.send(signal)
        // Of the four that were accepted, three wait for their turn, and the one that has it is
        // interrupted, unless its commit has begun.
        for _ in 1...3 {
            let refused = try #require(await received.next())
            #expect(refused.status == 503)
            #expect(refused.headers["connection"] == "close")
            #expect(try refused.message() == "The server is stopping.")
        }
        try lock.release()
        let last = try #require(await received.next())
        #expect([201, 503].contains(last.status))
        let outcome = try await server.outcome()
        #expect(outcome.exitCode == EXIT_FAILURE)
        #expect(outcome.errors.contains("3 accepted calls were turned away"))
        #expect(files.logSize == 0)
        #expect(try await files.notes() == (last.status == 201 ? [try last.note()] : []))
    }

    private func post(_ text: String, to port: UInt16) async throws -> Answer {
        try await blocking {
            Result {
                try Connection(port: port).send(
                    "POST", "/notes", body: try JSONEncoder().encode(["text": text]))
            }
        }.get()
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
