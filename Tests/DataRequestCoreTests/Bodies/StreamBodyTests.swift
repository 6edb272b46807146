#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosPlatformFoundation
import Testing

struct StreamBodyTests {
    struct Trouble: Error {}

    private func refusal(of body: RequestBody) async throws -> (DataRequestError?, Int) {
        let fixture = try BodyFixture()
        let error = await failure {
            try await fixture.service.response(for: DataRequest(.put, "x").body(body))
        }
        return (error, fixture.transport.requests.count)
    }

    @Test(arguments: [0, 3, 5, 7, 11])
    func `a stream of another length than announced fails`(length: Int64) async throws {
        let (error, answered) = try await refusal(
            of: .stream(length: length) { pieces("abc", "def") })
        #expect(error?.code == .invalidBody)
        #expect(answered == 0)
    }

    @Test func `a stream of the announced length goes out`() async throws {
        let sent = try await BodyFixture().sent(
            DataRequest(.put, "x").body(.stream(length: 6) { pieces("abc", "def") }))
        #expect(sent.body == Data("abcdef".utf8))
        #expect(sent.request.body.length == 6)
    }

    @Test func `the piece that completes the length is held back until the stream has ended`()
        async throws
    {
        let seen = Pieces()
        let transport = PieceTransport(seen: seen)
        let service = try DataRequestService.forTests(transport, base: "https://api.example.com")
        let error = await failure {
            try await service.response(
                for: DataRequest(.put, "x").body(.stream(length: 6) { pieces("abc", "def", "g") }))
        }
        #expect(error?.code == .invalidBody)
        #expect(await seen.texts == ["abc"])
    }

    @Test func `an error of the stream is the reason of the failure`() async throws {
        let (error, _) = try await refusal(
            of: .stream {
                ByteStream(AsyncThrowingStream<Data, any Error> { $0.finish(throwing: Trouble()) })
            })
        #expect(error?.code == .invalidBody)
        #expect(error?.cause is Trouble)
    }

    @Test func `a stream that can be read once is not sent twice`() async throws {
        let fixture = try BodyFixture()
        let request = DataRequest(.put, "x").body(.stream(pieces("abc")))
        let first = try await fixture.sent(request)
        #expect(first.body == Data("abc".utf8))
        let error = await failure { try await fixture.sent(request) }
        #expect(error?.code == .invalidBody)
        #expect(fixture.transport.requests.count == 1)
    }

    @Test func `a stated Content-Length that is wrong is refused before anything is sent`()
        async throws
    {
        let fixture = try BodyFixture()
        let request = DataRequest(.put, "x").body(.text("abc"))
        let error = await failure {
            try await fixture.sent(request.header(.contentLength, "4"))
        }
        #expect(error?.code == .invalidBody)
        #expect(fixture.transport.requests.isEmpty)
        _ = try await fixture.sent(request.header(.contentLength, "3"))
    }
}

/// Remembers the pieces that a transport was given.
actor Pieces {
    var texts: [String] = []
    func add(_ text: String) { texts.append(text) }
}

/// Reads bodies piece by piece.
private struct PieceTransport: HTTPTransport {
    let seen: Pieces

    func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        struct Broken: Error {}
        do {
            if let stream = try await request.body.open() {
                for try await piece in stream {
                    await seen.add(String(decoding: piece, as: UTF8.self))
                }
            }
        } catch {
            // As transports do that have words of their own for everything.
            throw Broken()
        }
        return IncomingResponse(url: request.url, status: .ok)
    }

    func shutDown() async throws {}
}
#endif
