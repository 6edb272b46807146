#if Hummingbird
import Foundation
import Hummingbird
import ServerTestKit
import Skiathos
import SkiathosTesting
import TestSupport
import Testing

@testable import SkiathosHummingbird

@Suite(.generousTimeLimit) struct DifferenceStreamTests {
    /// Streams the chores by rank.
    private static func withChores(_ body: (EventServer) async throws -> Void) async throws {
        try await withEventServer { router, dal in
            router.get("/") { request, context in
                request.serverSentEvents(
                    differencesOf: dal.observe(Chore.order { $0.rank }),
                    options: ServerSentEventOptions(heartbeat: .milliseconds(1)), context: context)
            }
        } _: {
            try await body($0)
        }
    }

    @Test func `the response is an event stream that nothing keeps`() async throws {
        try await Self.withChores { server in
            let client = try await server.open()
            #expect(client.status == 200)
            #expect(client.headers["content-type"] == "text/event-stream")
            #expect(client.headers["cache-control"] == "no-store")
            #expect(client.headers["x-accel-buffering"] == "no")
            #expect(await client.items.first { _ in true } == .retry(2_000))
        }
    }

    @Test func `a client receives the list, and then each difference`() async throws {
        try await Self.withChores { server in
            let client = try await server.open()
            #expect(await client.next().map { [$0.name, $0.data] } == ["reset", "[]"])
            let tea = try await server.add("Tea\n\"hot\"", rank: 5)
            let added = try #require(await client.next())
            #expect(added.name == "difference")
            let row = #"{"id":\#(tea),"rank":5,"title":"Tea\n\"hot\""}"#
            #expect(added.data == #"{"inserted":[{"index":0,"row":\#(row)}]}"#)
            let figs = try await server.add("Figs", rank: 7)
            _ = await client.next()
            try await server.dal.write { try Chore.find(tea, in: $0)?.rank = 9 }
            let moved = try #require(await client.next())
            let newRow = row.replacing(#""rank":5"#, with: #""rank":9"#)
            #expect(
                moved.data
                    == #"{"moved":[{"from":0,"id":\#(tea),"to":1}],"updated":[{"index":1,"row":\#(newRow)}]}"#
            )
            try await server.dal.write { try Chore.find(figs, in: $0)?.delete() }
            #expect(
                await client.next()?.data == #"{"removed":[{"id":\#(figs),"index":0}]}"#)
            let other = try await server.open()
            #expect(await other.next().map { [$0.name, $0.data] } == ["reset", "[\(newRow)]"])
        }
    }

    @Test func `a client with the present list receives nothing until it changes`() async throws {
        try await Self.withChores { server in
            for rank in [3, 1, 2] { _ = try await server.add("chore \(rank)", rank: rank) }
            let first = try await server.open()
            _ = await first.next()
            let moved = try await server.add("last", rank: 4)
            try await server.dal.write { try Chore.find(moved, in: $0)?.rank = 0 }
            // The list after the last difference, of one or two.
            var last = try #require(await first.next())
            if !last.data.contains(#""rank":0"#) { last = try #require(await first.next()) }
            first.close()
            // Nothing shows that the server has compared the list, so it may be too late for the next
            // change: then the client has to receive the whole list, and tries again.
            var comments = 1
            while true {
                let again = try await server.open(lastEventID: last.lastID)
                await again.waitForComments(comments)
                let added = try await server.add("new", rank: 9)
                let event = try #require(await again.next())
                last = event
                comments *= 2
                guard event.name == "difference" else { continue }
                #expect(event.data.contains(#""row":{"id":\#(added)"#))
                #expect(!event.data.contains("chore"))
                break
            }
        }
    }

    @Test func `a client with an older list receives the whole list`() async throws {
        try await Self.withChores { server in
            let first = try await server.open()
            let before = try #require(await first.next())
            first.close()
            _ = try await server.add("Tea")
            for id in [before.lastID, "", "0", "nonsense \u{e9}"] {
                let again = try await server.open(lastEventID: id)
                let event = try #require(await again.next())
                #expect(event.name == "reset")
                #expect(event.data.contains("Tea"))
            }
        }
    }

    @Test func `the ID names the list by its contents, whichever changes have made it`()
        async throws
    {
        try await Self.withChores { server in
            let client = try await server.open()
            let empty = try #require(await client.next())
            let tea = try await server.add("Tea")
            let one = try #require(await client.next())
            try await server.dal.write { try Chore.find(tea, in: $0)?.delete() }
            let emptyAgain = try #require(await client.next())
            #expect(empty.lastID == emptyAgain.lastID)
            #expect(empty.lastID != one.lastID)
            #expect(empty.lastID.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        }
    }

    /// The fingerprint that is kept up to date is that of the list, after any differences.
    @Test(.seeded) func `a fingerprint after differences is that of a new list`() throws {
        var random = SeededNumbers(seed: Seed.current)
        var list: [Chore] = []
        var fingerprint = ListFingerprint<Chore>()
        var names: [StateFingerprint: [Chore]] = [:]
        for _ in 0..<200 {
            var next = list.filter { _ in Int.random(in: 0..<8, using: &random) > 0 }
            for index in next.indices where Int.random(in: 0..<6, using: &random) == 0 {
                next[index].rank += 1
            }
            if Bool.random(using: &random) { next.shuffle(using: &random) }
            for _ in 0..<Int.random(in: 0..<3, using: &random) {
                var chore = Chore(
                    id: Chore.ID(rawValue: .random(in: 1...1_000_000, using: &random)))
                chore.title = "\(chore.id)"
                next.insert(chore, at: .random(in: 0...next.count, using: &random))
            }
            try fingerprint.apply(ListDifference(from: list, to: next))
            list = next
            var whole = ListFingerprint<Chore>()
            try whole.apply(ListDifference(from: [], to: list))
            #expect(whole.value == fingerprint.value)
            #expect(names[fingerprint.value, default: list] == list)
            names[fingerprint.value] = list
        }
        #expect(names.count > 100)
    }
}
#endif
