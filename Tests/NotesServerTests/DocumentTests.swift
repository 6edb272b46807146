#if Macros && Requests
import ArgumentParser
import ServerTestKit
import TestSupport
import Testing

@testable import NotesServerKit

/// The section of this example on the page of all examples.
@Suite(.generousTimeLimit) struct DocumentTests {
    private let blocks: [ExampleSection.Block]

    init() throws {
        blocks = try ExampleSection(of: "NotesServer").blocks
        try #require(blocks.map(\.language) == ["sh", "text", "sh", "text"])
    }

    @Test func `a server without options listens as the page says`() throws {
        let server = try NotesServer.parse([])
        #expect(blocks[0].lines == ["make server"])
        #expect(blocks[1].lines == ["Listening on http://\(server.host):\(server.port)"])
    }

    @Test func `the requests of the page are answered as it says`() async throws {
        try await withService { service in
            var answers: [String] = []
            for line in blocks[2].lines {
                let request = try #require(
                    line.wholeMatch(
                        of: /curl (?:-X (\w+) )?'?localhost:8080([^ ']+)'?(?: -d '(.+)')?/),
                    "\(line)")
                let answer = try await service.ask(
                    request.1.map(String.init) ?? "GET", String(request.2),
                    request.3.map(String.init))
                let body = String(decoding: answer.body, as: UTF8.self)
                    .replacing(/"createdAt":"[^"]+"/, with: #""createdAt":"…""#)
                if !body.isEmpty { answers.append(body) }
            }
            #expect(answers == blocks[3].lines.map(String.init))
        }
    }
}
#endif
