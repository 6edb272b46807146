#if Macros
import Foundation
import SkiathosTesting
import Testing

/// The terminal of a reader, in an empty directory at first.
struct TutorialTerminal {
    private let root: TemporaryDirectory
    private var directory: String
    #if Requests
    private var server: TutorialServer?
    #endif

    init() throws {
        root = try TemporaryDirectory()
        directory = root.path
    }

    /// Runs a command.
    ///
    /// - Returns: What it prints. A server prints what it logs until it listens, and when it was
    ///   stopped everything, at the port 8080.
    mutating func run(
        _ line: String, _ package: TutorialPackage, _ build: inout TutorialBuild
    ) async throws -> String {
        if let match = line.wholeMatch(of: /cd (\w+)/) {
            directory += "/\(match.1)"
            return ""
        } else if line.hasPrefix("mkdir ") {
            return try await shell(line)
        } else if line == "swift test" {
            let program = try await build.program("ShelfTests", of: package, like: "MusicShop")
            return try await shell(program)
        } else if let match = line.wholeMatch(of: /swift run shelf (.+)/) {
            let program = try await build.program("shelf", of: package, like: "QuickStart")
            return try await shell("\(program) \(match.1)")
        }
        #if Requests
        if line == "swift run shelfd" {
            if let server { return await server.everything() }
            let program = try await build.program("shelfd", of: package, like: "NotesServer")
            let server = try await TutorialServer.start(program, in: directory)
            self.server = server
            return server.beginning
        } else if line == "pkill -TERM shelfd" {
            try #require(server).stop()
            return ""
        } else if let match = line.wholeMatch(
            of: /curl (?:-X (\w+) )?localhost:8080(\/\S*)(?: -d '(.+)')?/)
        {
            let body = match.3.map(String.init)
            return try await #require(server).answer(
                match.1.map(String.init) ?? (body == nil ? "GET" : "POST"), String(match.2), body)
        }
        #endif
        throw UnknownCommand(line: line)
    }

    struct UnknownCommand: Error {
        let line: String
    }

    /// Runs a line of the shell in the directory.
    private func shell(_ line: String) async throws -> String {
        let command = Command(executable: URL(fileURLWithPath: "/bin/sh"), directory: directory)
        let outcome = try await command.run(["-c", line])
        #expect(outcome.exitCode == 0, "\(line): \(outcome.errors)")
        return outcome.output + outcome.errors
    }
}
#endif
