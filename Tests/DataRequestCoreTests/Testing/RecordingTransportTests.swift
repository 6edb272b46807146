#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosPlatformFoundation
import Testing

struct RecordingTransportTests {
    struct Track: Codable, Equatable { var title: String }

    @Test func `rules answer by method and path, the last one that fits first`() async throws {
        let transport = RecordingTransport()
            .on(nil, "/v1/*", .text("any"))
            .on(.get, "/v1/tracks/7", .json(#"{"title":"Solace"}"#))
            .on(.delete, "/v1/tracks/7", .status(.noContent))
        let service = try BodyFixture(transport).service
        #expect(try await service.get("tracks/7", as: Track.self) == Track(title: "Solace"))
        #expect(try await service.delete("tracks/7", as: Track?.self) == nil)
        #expect(try await service.get("other", as: String.self) == "any")
        #expect(transport.requests(to: "/v1/tracks/7").count == 2)
        #expect(transport.requests(to: "/v1/*", method: .get).count == 2)
        transport.forgetRequests()
        #expect(transport.requests.isEmpty)
    }

    @Test func `answers follow each other, and the last one stays`() async throws {
        let transport = RecordingTransport().on(
            .get, "/v1/x", .failure(.connectionFailed), .text("1"), .text("2"))
        let service = try BodyFixture(transport).service
        let error = await failure { try await service.get("x") }
        #expect(error?.code == .connectionFailed)
        var texts: [String] = []
        for _ in 0..<3 { texts.append(try await service.get("x")) }
        #expect(texts == ["1", "2", "2"])
    }

    @Test func `a body arrives in pieces, and fails where the script says so`() async throws {
        let transport = RecordingTransport().on(
            .get, "/v1/x", .text("abcdefgh").inPieces(of: 3).failing(.timedOut, after: 7))
        let fixture = try BodyFixture(transport)
        let response = try await fixture.service.response(for: DataRequest(.get, "x"))
        #expect(response.body.length == 8)
        var pieces: [String] = []
        let error = await failure {
            for try await piece in response.body {
                pieces.append(String(decoding: piece, as: UTF8.self))
            }
        }
        #expect(error?.code == .timedOut)
        #expect(pieces == ["abc", "def", "g"])
    }

    @Test func `the error of a request without a rule lists the rules and no secrets`() async throws
    {
        let transport = RecordingTransport().on(.get, "/v1/a", .text("x")).on(
            nil, "/v1/b*", .text("x"))
        let service = try BodyFixture(transport).service
        let request = DataRequest(.get, "c").query("token", "secret").header(
            .authorization, "secret")
        let error = await failure { try await service.data(for: request) }
        #expect(error?.code == .noAnswer)
        #expect(error?.message.contains("GET /v1/a, any method /v1/b*") == true)
        #expect(error?.description.contains("secret") == false)
        #expect(transport.requests.count == 1)
    }

    @Test func `the transport keeps the wanted part of a body, and counts all of it`() async throws
    {
        let transport = RecordingTransport(maximumBodySize: 4).on(.put, "/v1/x", .status(.ok))
        let service = try BodyFixture(transport).service
        try await service.put("x", body: .stream { pieces("abc", "def") })
        #expect(transport.requests.first?.body == Data("abcd".utf8))
        #expect(transport.requests.first?.bodySize == 6)
    }

    @Test func `a delay passes on the clock of the transport`() async throws {
        let transport = RecordingTransport(clock: HurriedClock())
            .on(.get, "/v1/x", .text("late").delayed(by: .seconds(20)))
        let service = try BodyFixture(transport).service
        #expect(try await service.get("x", as: String.self) == "late")
    }

    @Test func `an answer in chunks has no length, and an answer to HEAD no body`() async throws {
        let transport = RecordingTransport().on(nil, "/v1/x", .text("abc").withoutLength())
        let service = try BodyFixture(transport).service
        #expect(try await service.response(for: DataRequest(.get, "x")).body.length == nil)
        #expect(try await service.response(for: DataRequest(.head, "x")).body.length == 0)
        #expect(try await service.get("x") == Data("abc".utf8))
    }

    @Test func `the transport sends nothing after its shutdown`() async throws {
        let transport = RecordingTransport().on(nil, "*", .text("abc"))
        let service = try BodyFixture(transport).service
        try await transport.shutDown()
        let error = await failure { try await service.get("x") }
        #expect(error?.code == .shutDown)
        #expect(transport.isShutDown)
    }

    @Test func `a value can be an answer`() async throws {
        let answer = try ScriptedAnswer.json(encoding: Track(title: "a"), status: .created)
        let service = try BodyFixture(RecordingTransport().on(.post, "/v1/t", answer)).service
        #expect(try await service.post("t", json: 1, as: Track.self) == Track(title: "a"))
    }
}
#endif
