#if Macros && Hummingbird
import Foundation
import ServerTestKit
import SkiathosTesting
import TestSupport
import Testing

@Suite(.generousTimeLimit) struct StartingTests {
    @Test func `a second server on the same store says so and leaves the first alone`() async throws
    {
        let directory = try TemporaryDirectory()
        let arguments = ["--path", directory.file("board.sqlite"), "--port", "0"]
        let first = try ServerProcess("LiveBoard", arguments)
        let port = try #require(await first.port())
        let second = try ServerProcess("LiveBoard", arguments)
        #expect(await second.port() == nil)
        let refused = try await second.outcome()
        #expect(refused.exitCode == EX_TEMPFAIL)
        #expect(refused.errors.contains("(storeInUse)"))
        #expect(try Connection(port: port).send("GET", "/cards").status == 200)
        first.send(SIGTERM)
        #expect(try await first.outcome().exitCode == 0)
    }

    @Test func `a port that is taken is named, and the store is closed`() async throws {
        let directory = try TemporaryDirectory()
        let first = try ServerProcess(
            "LiveBoard", ["--path", directory.file("first.sqlite"), "--port", "0"])
        let port = try #require(await first.port())
        let path = directory.file("second.sqlite")
        let second = try ServerProcess("LiveBoard", ["--path", path, "--port", "\(port)"])
        #expect(await second.port() == nil)
        let refused = try await second.outcome()
        #expect(refused.exitCode == EXIT_FAILURE)
        #expect(
            refused.errors.hasPrefix(
                "Error: The server cannot listen on 127.0.0.1:\(port). Choose another --port or --host. The system says: "
            ))
        #expect(refused.errors.contains("Address already in use"))
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        first.send(SIGTERM)
        #expect(try await first.outcome().exitCode == 0)
    }

    @Test(arguments: [
        ("nowhere/board.sqlite", #"/nowhere" of the store does not exist. Create it first."#),
        ("", "The path of the store is empty. Name a file."),
        (".", "is a directory. Name the file that holds the store."),
        ("text", #"/text" is not a database. Check the path; the file was left as it was."#),
    ])
    func `a store that cannot be opened is named`(path: String, message: String) async throws {
        let directory = try TemporaryDirectory()
        try Data("no database, but a text".utf8)
            .write(to: URL(fileURLWithPath: directory.file("text")))
        let file = path.isEmpty ? "" : directory.file(path)
        let server = try ServerProcess("LiveBoard", ["--path", file, "--port", "0"])
        #expect(await server.port() == nil)
        let outcome = try await server.outcome()
        #expect(outcome.exitCode == EXIT_FAILURE)
        #expect(outcome.errors.hasPrefix("Error: "))
        #expect(outcome.errors.contains(message))
    }

    @Test(arguments: [
        ["--figs"], ["--port", "figs"], ["--port", "-1"], ["--port", "65536"], ["figs"], ["--path"],
    ])
    func `options that cannot be used are explained`(arguments: [String]) async throws {
        let outcome = try await ServerProcess("LiveBoard", arguments).outcome()
        #expect(outcome.exitCode == EX_USAGE)
        #expect(outcome.errors.contains(arguments[0]))
        #expect(outcome.errors.contains("Usage: LiveBoard"))
        #expect(outcome.output.isEmpty)
    }

    @Test func `the help names every option and the exit codes`() async throws {
        let outcome = try await ServerProcess("LiveBoard", ["--help"]).outcome()
        #expect(outcome.exitCode == 0)
        for word in ["--path", "--host", "--port", "SIGTERM", " \(EX_TEMPFAIL) "] {
            #expect(outcome.output.contains(word))
        }
        #expect(outcome.errors.isEmpty)
    }
}
#endif
