#if Macros && Hummingbird
import Foundation
import ServerTestKit
import Skiathos
import SkiathosTesting
import TestSupport
import Testing

@testable import LiveBoardKit

@Suite(.generousTimeLimit) struct StreamTests {
    @Test func `each page receives what the others do`() async throws {
        try await withBoard { board in
            let pages = [
                try await EventClient.open(port: board.port, "/cards/events"),
                try await EventClient.open(port: board.port, "/cards/events"),
            ]
            for page in pages { #expect(await page.next()?.data == "[]") }
            let card = try await board.add("Tea")
            for page in pages {
                let event = try #require(await page.next())
                #expect(event.name == "difference")
                #expect(event.data.contains(#""id":"\#(card.id)""#))
            }
        }
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal ends open streams in order, and the store is closed`(
        signal: Int32
    ) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("board.sqlite")
        let server = try ServerProcess("LiveBoard", ["--path", path, "--port", "0"])
        let port = try #require(await server.port())
        var pages: [EventClient] = []
        for _ in 1...20 {
            let page = try await EventClient.open(port: port, "/cards/events")
            #expect(await page.next()?.name == "reset")
            pages.append(page)
        }
        server.send(signal)
        let outcome = try await server.outcome()
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(!outcome.wasKilled)
        #expect(outcome.output == "Stopped; the store is closed.\n")
        for page in pages {
            #expect(await page.next() == nil)
            #expect(page.hasEndedInOrder)
        }
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    }

    @Test func `a page that has the present board receives nothing again after a restart`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let arguments = ["--path", directory.file("board.sqlite"), "--port", "0"]
        let first = try ServerProcess("LiveBoard", arguments)
        let port = try #require(await first.port())
        let page = try await EventClient.open(port: port, "/cards/events")
        let empty = try #require(await page.next())
        try Self.add("Tea", to: port)
        let last = try #require(await page.next())
        first.send(SIGTERM)
        #expect(try await first.outcome().exitCode == 0)
        let second = try ServerProcess("LiveBoard", arguments)
        let newPort = try #require(await second.port())
        let present = try await EventClient.open(
            port: newPort, "/cards/events", lastEventID: last.lastID)
        let old = try await EventClient.open(
            port: newPort, "/cards/events", lastEventID: empty.lastID)
        let reset = try #require(await old.next())
        #expect(reset.name == "reset")
        #expect(reset.lastID == last.lastID)
        try Self.add("Figs", to: newPort)
        let difference = try #require(await present.next())
        #expect(difference.name == "difference")
        #expect(difference.data.contains("Figs"))
        #expect(!difference.data.contains("Tea"))
        second.send(SIGTERM)
        #expect(try await second.outcome().exitCode == 0)
    }

    private static func add(_ title: String, to port: UInt16) throws {
        let answer = try Connection(port: port).send(
            "PUT", "/cards/\(UUID())", body: Data(#"{"title":"\#(title)","stage":"todo"}"#.utf8),
            headers: ["Content-Type": "application/json"])
        #expect(answer.status == 201)
    }
}
#endif
