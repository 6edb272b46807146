#if Hummingbird
import Dispatch
import Hummingbird
import ServerTestKit
import Skiathos
import SkiathosHummingbird
import TestSupport
import Testing

@Suite(.generousTimeLimit) struct StreamEndTests {
    /// Streams the chores, in a form that makes each of them long if a test needs that.
    private static func withChores(
        heartbeat: Duration? = nil, charactersOfARow: Int = 0,
        _ body: (EventServer) async throws -> Void
    ) async throws {
        try await withEventServer { router, dal in
            router.get("/") { request, context in
                request.serverSentEvents(
                    differencesOf: dal.observe(Chore.order { $0.rank }),
                    options: ServerSentEventOptions(heartbeat: heartbeat), context: context
                ) { event in
                    switch event {
                    case .reset(let rows): "\(rows.count)"
                    case .difference(let difference):
                        "\(difference.newCount) "
                            + String(repeating: "x", count: charactersOfARow)
                    }
                }
            }
        } _: {
            try await body($0)
        }
    }

    @Test func `a client that goes away is not observed for, without any heartbeat`()
        async throws
    {
        try await Self.withChores { server in
            let clients = [try await server.open(), try await server.open()]
            for client in clients { #expect(await client.next()?.data == "0") }
            await server.waitForObservers(2)
            clients[0].close()
            await server.waitForObservers(1)
            _ = try await server.add("Tea")
            #expect(await clients[1].next()?.data == "1 ")
            clients[1].close()
            await server.waitForObservers(0)
        }
    }

    @Test func `comments are sent while nothing happens`() async throws {
        try await Self.withChores(heartbeat: .milliseconds(1)) { server in
            let client = try await server.open()
            await client.waitForComments(20)
            // They lie between events, never in one.
            for number in 1...20 {
                _ = try await server.add("Tea")
                while let event = await client.next(), event.data != "\(number) " {}
            }
        }
    }

    @Test func `a stream ends in order when the store is closed`() async throws {
        try await Self.withChores { server in
            let client = try await server.open()
            #expect(await client.next()?.data == "0")
            try await server.dal.close()
            #expect(await client.next() == nil)
            #expect(client.hasEndedInOrder)
            await server.waitForObservers(0)
        }
    }

    @Test func `open streams end in order at a graceful shutdown, and do not delay it`()
        async throws
    {
        var clients: [EventClient] = []
        try await Self.withChores { server in
            for _ in 1...5 { clients.append(try await server.open()) }
            for client in clients { #expect(await client.next()?.data == "0") }
            // The end of the closure begins the shutdown, which returns when the server has stopped.
        }
        for client in clients {
            #expect(await client.next() == nil)
            #expect(client.hasEndedInOrder)
        }
    }

    /// More than the buffers of both ends hold.
    private static let size = 8 << 20

    @Test func `a client that has stopped reading does not delay a graceful shutdown`()
        async throws
    {
        let gate = DispatchSemaphore(value: 0)
        var silent: EventClient?
        try await Self.withChores(charactersOfARow: Self.size) { server in
            silent = try await server.open(gate: gate)
            let other = try await server.open()
            #expect(await other.next()?.data == "0")
            await server.waitForObservers(2)
            _ = try await server.add("Tea")
            // By then the same event waits for the client that does not read.
            #expect(await other.next()?.data.hasPrefix("1 ") == true)
            // The end of the closure begins the shutdown, which returns when the server has stopped.
        }
        gate.signal()
        while await silent?.next() != nil {}
    }

    @Test func `a client that reads slowly receives the newest state, not a queue`() async throws {
        let gate = DispatchSemaphore(value: 0)
        try await Self.withChores(charactersOfARow: Self.size) { server in
            let client = try await server.open(gate: gate)
            await server.waitForObservers(1)
            for number in 1...200 { _ = try await server.add("\(number)") }
            gate.signal()
            var counts: [Int] = []
            while counts.last != 200, let event = await client.next() {
                counts.append(try #require(Int(event.data.prefix { $0 != " " })))
            }
            #expect(counts.last == 200)
            #expect(counts == counts.sorted())
            // The event that waited, and one for all changes meanwhile, or a few of them if the first
            // list was read late.
            #expect(counts.count < 10)
        }
    }
}
#endif
