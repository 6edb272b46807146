#if Hummingbird
import Foundation
import Hummingbird
import ServerTestKit
import Skiathos
import SkiathosHummingbird
import TestSupport
import Testing

@Suite(.generousTimeLimit) struct ValueStreamTests {
    @Test func `a client receives values as JSON, and none that it has`() async throws {
        try await withEventServer { router, dal in
            router.get("/") { request, context in
                request.serverSentEvents(
                    of: dal.observe { try Chore.count(in: $0) }, event: "count", context: context)
            }
        } _: { server in
            let client = try await server.open()
            let none = try #require(await client.next())
            #expect([none.name, none.data] == ["count", "0"])
            _ = try await server.add("Tea")
            let one = try #require(await client.next())
            #expect(one.data == "1")
            let again = try await server.open(lastEventID: one.lastID)
            let late = try await server.open(lastEventID: none.lastID)
            #expect(await late.next()?.data == "1")
            _ = try await server.add("Figs")
            #expect(await again.next()?.data == "2")
        }
    }

    @Test func `dates are in the form of ISO 8601`() async throws {
        let moment = Date(timeIntervalSince1970: 1_000_000_000)
        try await withEventServer { router, dal in
            router.get("/") { request, context in
                request.serverSentEvents(of: dal.observe { _ in [moment] }, context: context)
            }
        } _: { server in
            let client = try await server.open()
            #expect(await client.next()?.data == #"["2001-09-09T01:46:40Z"]"#)
        }
    }

    @Test func `values in a form of one's own are equal if their texts are`() async throws {
        try await withEventServer { router, dal in
            router.get("/") { request, context in
                request.serverSentEvents(
                    of: dal.observe(Chore.order { $0.rank }), context: context
                ) { chores in chores.isEmpty ? "none" : "some,\nbut not how many" }
            }
        } _: { server in
            let client = try await server.open()
            #expect(await client.next()?.data == "none")
            for _ in 1...3 { _ = try await server.add("Tea") }
            #expect(await client.next()?.data == "some,\nbut not how many")
            try await server.dal.write { _ = try Chore.deleteAll(in: $0) }
            #expect(await client.next()?.data == "none")
        }
    }

    @Test func `events of one's own are sent as they are, up to their end`() async throws {
        try await withEventServer { router, _ in
            router.get("/") { request, context in
                let events = try [
                    ServerSentEvent(data: "a", id: request.lastEventID),
                    ServerSentEvent(data: "b\n", event: "last", id: "é"),
                ]
                let stream = AsyncStream { continuation in
                    for event in events { continuation.yield(event) }
                    continuation.finish()
                }
                return request.serverSentEvents(stream, context: context)
            }
        } _: { server in
            let client = try await server.open(lastEventID: "7")
            #expect(await client.next() == EventClient.Event(data: "a", lastID: "7"))
            #expect(
                await client.next()
                    == EventClient.Event(name: "last", data: "b\n", lastID: "é"))
            #expect(await client.next() == nil)
            #expect(client.hasEndedInOrder)
        }
    }

    @Test func `an error of the source ends the connection, not the response`() async throws {
        struct Failure: Error {}
        try await withEventServer { router, dal in
            router.get("/") { request, context in
                request.serverSentEvents(
                    of: dal.observe { try Chore.count(in: $0) }, context: context
                ) { count in
                    if count > 0 { throw Failure() }
                    return "\(count)"
                }
            }
        } _: { server in
            let client = try await server.open()
            #expect(await client.next()?.data == "0")
            _ = try await server.add("Tea")
            #expect(await client.next() == nil)
            #expect(!client.hasEndedInOrder)
            await server.waitForObservers(0)
        }
    }
}
#endif
