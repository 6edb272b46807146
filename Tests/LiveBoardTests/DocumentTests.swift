#if Macros && Hummingbird
import ArgumentParser
import Foundation
import ServerTestKit
import TestSupport
import Testing

@testable import LiveBoardKit

/// The section of this example on the page of all examples.
@Suite(.generousTimeLimit) struct DocumentTests {
    private let section: ExampleSection
    private let blocks: [ExampleSection.Block]

    init() throws {
        section = try ExampleSection(of: "LiveBoard")
        blocks = section.blocks
        try #require(blocks.map(\.language) == ["sh", "text", "sh", "text", "sh"])
    }

    @Test func `a server without options listens as the page says`() throws {
        let server = try LiveBoard.parse([])
        #expect(blocks[0].lines == ["make board"])
        #expect(blocks[1].lines == ["Listening on http://\(server.host):\(server.port)"])
    }

    @Test func `the requests of the page are answered as it says`() async throws {
        try await withBoard { board in
            var answers: [String] = []
            for line in blocks[2].lines {
                if line == "curl -N localhost:8080/cards/events" {
                    answers += try await Self.firstEvent(of: board)
                    continue
                }
                let request = try #require(
                    line.wholeMatch(
                        of: /curl -X (\w+) localhost:8080(\S+) --json '(.+)'/), "\(line)")
                let answer = try await board.ask(
                    String(request.1), String(request.2), String(request.3))
                answers.append(String(decoding: answer.body, as: UTF8.self))
            }
            #expect(answers == blocks[3].lines.map(String.init))
        }
    }

    /// The lines that a stream begins with, up to the end of its first event.
    private static func firstEvent(of board: TestBoard) async throws -> [String] {
        let client = try await EventClient.open(port: board.port, "/cards/events")
        var lines: [String] = []
        for await item in client.items {
            switch item {
            case .retry(let time): lines += ["retry: \(time)", ""]
            case .comment(let text): lines += [":\(text)", ""]
            case .event(let event):
                #expect(event.lastID.wholeMatch(of: /[0-9a-f]{32}/) != nil)
                return lines + ["id: …", "event: \(event.name)", "data: \(event.data)"]
            }
        }
        return lines
    }

    @Test func `the pictures of the page are there, and small`() throws {
        #expect(blocks[4].lines == ["make board-pictures"])
        let names = section.text.matches(of: /(?:src|srcset)="([^"]+)"/).map { String($0.1) }
        #expect(names.count == 4)
        for name in names {
            let file = ExampleSection.directory.appendingPathComponent(name)
            let picture = try Data(contentsOf: file)
            #expect(picture.prefix(4) == Data([0x89] + "PNG".utf8))
            #expect(picture.count < 100_000)
        }
        let files = try FileManager.default.contentsOfDirectory(
            atPath: ExampleSection.directory.appendingPathComponent("LiveBoard/Pictures").path)
        #expect(files.map { "LiveBoard/Pictures/\($0)" }.sorted() == names.sorted())
    }
}
#endif
