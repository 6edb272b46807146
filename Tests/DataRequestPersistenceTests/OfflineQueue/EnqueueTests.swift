#if RequestCore
import DataRequestCore
import Foundation
import HTTPTypes
import SkiathosLocks
import Skiathos
import SkiathosTesting
import Testing

@testable import DataRequestPersistence

struct EnqueueTests {
    private struct Refused: Error {}

    @Test func `a request and its change are committed together, or neither is`() async throws {
        try await QueueFixture.run { fixture in
            try await fixture.dal.write { context in
                try Song.create(in: context) { $0.serverID = 1 }
                try context.enqueue(DataRequest(.post, "songs"), key: "song-1")
            }
            await #expect(throws: Refused.self) {
                try await fixture.dal.write { context in
                    try Song.create(in: context) { $0.serverID = 2 }
                    try context.enqueue(DataRequest(.post, "songs"), key: "song-2")
                    throw Refused()
                }
            }
            let (songs, items) = try await fixture.dal.read {
                (try Song.count(in: $0), try QueuedRequest.all(in: $0))
            }
            #expect(songs == 1)
            #expect(items.map(\.key) == ["song-1"])
        }
    }

    @Test func `a request is delivered as it was queued, with a key of its own`() async throws {
        try await QueueFixture.run { fixture in
            let request = DataRequest(.patch, "songs/7").query("a", "b c").query("flag", nil)
                .header(.accept, "text/plain").named("songs.change")
                .body(.data(Data("{\"a\":1}".utf8), contentType: "application/json"))
            try await fixture.dal.write { try $0.enqueue(request, key: "song-7") }
            let report = try await fixture.queue.deliverNow()
            #expect(report == .init(delivered: 1, postponed: 0, deadLettered: 0, waiting: 0))
            let sent = try #require(fixture.server.requests.first)
            #expect(sent.method == .patch)
            #expect(
                sent.url.absoluteString.hasPrefix("https://music.example/api/songs/7?a=b%20c&flag"))
            #expect(sent.headers[.accept] == "text/plain")
            #expect(sent.body.contentType == "application/json")
            #expect(sent.options.name == "songs.change")
            #expect(UUID(uuidString: sent.headers[.idempotencyKey] ?? "") != nil)
            let stream = try #require(try await sent.body.open())
            var body = Data()
            for try await piece in stream { body.append(piece) }
            #expect(body == Data("{\"a\":1}".utf8))
        }
    }

    @Test func `a request that cannot be queued is refused, with no value in the error`()
        async throws
    {
        try await QueueFixture.run { fixture in
            let plain = DataRequest(.post, "songs")
            let external = try #require(URL(string: "https://other.example/"))
            let token = try #require(HTTPField.Name("X-Auth-Token"))
            for request in [
                plain.header(.authorization, "secret-1"), plain.header(.cookie, "secret-1"),
                plain.header(token, "secret-1"), plain.query("api_key", "secret-1"),
                DataRequest(.post, external: external),
                plain.body(.stream { ByteStream(Data("secret-1".utf8)) }),
                plain.body(.data(Data(count: (1 << 20) + 1))),
            ] {
                let error = await #expect(throws: DataRequestError.self) {
                    try await fixture.dal.write { try $0.enqueue(request, key: "k") }
                }
                #expect(error?.code == .notQueueable)
                #expect(error?.description.contains("secret-1") == false)
            }
            let counts = try await fixture.queue.counts()
            #expect(counts.pending == 0)
        }
    }

    @Test func `a store without the entities says what to do`() async throws {
        try await withStore(.inMemory, entities: Song.self) { dal in
            let error = await #expect(throws: DataAccessError.self) {
                try await dal.write { try $0.enqueue(DataRequest(.post, "songs"), key: "k") }
            }
            #expect(error?.message.contains("DataRequestEntities.all") == true)
            let fixture = try QueueFixture(dal)
            await #expect(throws: DataAccessError.self) { try await fixture.queue.run() }
        }
    }
}
#endif
