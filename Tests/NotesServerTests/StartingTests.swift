#if Macros && Requests
import Foundation
import ServerTestKit
import TestSupport
import Testing

@testable import NotesServerKit

@Suite(.generousTimeLimit) struct StartingTests {
    @Test func `a second server on the same store says so and leaves the first alone`()
        async throws
    {
        let files = try StoreFiles()
        let first = try ServerProcess(store: files.path)
        let port = try #require(await first.port())
        let second = try ServerProcess(store: files.path)
        #expect(await second.port() == nil)
        let refused = try await second.outcome()
        #expect(refused.exitCode == EX_TEMPFAIL)
        #expect(refused.errors.contains("(storeInUse)"))
        #expect(refused.errors.contains(files.path))
        #expect(try Connection(port: port).send("GET", "/health").status == 200)
        first.send(SIGTERM)
        #expect(try await first.outcome().exitCode == 0)
    }

    @Test func `a port that is taken ends the server and closes its store`() async throws {
        let taken = try StoreFiles()
        let first = try ServerProcess(store: taken.path)
        let port = try #require(await first.port())
        let files = try StoreFiles()
        let second = try ServerProcess(store: files.path, port: port)
        #expect(await second.port() == nil)
        let refused = try await second.outcome()
        #expect(refused.exitCode == EXIT_FAILURE)
        #expect(refused.errors.contains("Address already in use"))
        #expect(files.logSize == 0)
        #expect(try await files.notes() == [])
        first.send(SIGTERM)
        #expect(try await first.outcome().exitCode == 0)
    }

    @Test(arguments: [
        ["--maximum-waiting-writes", "-1"], ["--maximum-waiting-writes", "figs"],
        ["--idle-timeout", "0"], ["--shutdown-deadline", "86401"], ["--figs"],
    ])
    func `options that cannot be used are explained`(arguments: [String]) async throws {
        let files = try StoreFiles()
        let server = try ServerProcess(store: files.path, arguments)
        let outcome = try await server.outcome()
        #expect(outcome.exitCode == EX_USAGE)
        #expect(outcome.errors.contains("Usage: NotesServer"))
    }

    @Test func `the help names every option`() async throws {
        let files = try StoreFiles()
        let outcome = try await ServerProcess(store: files.path, ["--help"]).outcome()
        #expect(outcome.exitCode == 0)
        for option in [
            "--path", "--host", "--port", "--maximum-waiting-writes", "--idle-timeout",
            "--shutdown-deadline",
        ] {
            #expect(outcome.output.contains(option))
        }
    }
}
#endif
