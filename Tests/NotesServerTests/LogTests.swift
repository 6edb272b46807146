#if Macros && Requests
import Foundation
import ServerTestKit
import TestSupport
import Testing

@testable import NotesServerKit

@Suite(.generousTimeLimit) struct LogTests {
    @Test(arguments: [
        (#"{"text":"secret"}"#, 201), (#"{"text":"secret\u0000"}"#, 400), (#"{"secret""#, 400),
        (#"{"secret":"secret"}"#, 400), (#"{"text":["secret"]}"#, 400),
    ])
    func `the server logs no text of a note`(body: String, status: Int) async throws {
        let files = try StoreFiles()
        let server = try ServerProcess(store: files.path)
        let connection = try Connection(port: try #require(await server.port()))
        #expect(try connection.send("POST", "/notes", body: Data(body.utf8)).status == status)
        _ = try connection.send("GET", "/notes/secret")
        server.send(SIGTERM)
        let outcome = try await server.outcome()
        #expect(outcome.exitCode == 0)
        #expect(!outcome.errors.contains("secret"))
        #expect(!outcome.output.contains("secret"))
    }
}
#endif
