#if RequestCore
import DataRequestCore
import Foundation
import HTTPTypes
import SkiathosLocks
import Synchronization
import TestClocks
import Testing

struct JSONElementsTests {
    private struct Track: Decodable, Sendable, Equatable {
        var id: Int
        var name: String
    }

    private struct Envelope: Decodable { var next: String? }

    private func service(_ body: ByteStream) throws -> (DataRequestService, RecordingTransport) {
        let transport = RecordingTransport { request in
            IncomingResponse(url: request.url, status: .ok, body: body)
        }
        let base = try #require(URL(string: "https://api.example.com/v1"))
        // No limit of time passes on a busy machine.
        var configuration = DataRequestService.Configuration()
        configuration.clock = TestClock()
        return (
            try DataRequestService(
                environment: ServerEnvironment("test", baseURL: base), transport: transport,
                configuration: configuration),
            transport
        )
    }

    @Test func `elements are decoded before the answer has ended`() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
        let (service, _) = try service(ByteStream(stream))
        continuation.yield(Data(#"{"items":[{"id":1,"name":"A"},{"id""#.utf8))
        let elements = service.elements(
            of: Track.self, from: DataRequest(.get, "tracks"), at: .key("items"))
        var iterator = elements.makeAsyncIterator()
        let first = try await iterator.next()
        #expect(first == Track(id: 1, name: "A"))
        #expect(iterator.envelope == nil)
        continuation.yield(Data(#":2,"name":"B"}],"next":"p2"}"#.utf8))
        continuation.finish()
        let second = try await iterator.next()
        #expect(second == Track(id: 2, name: "B"))
        let end = try await iterator.next()
        #expect(end == nil)
        let envelope = try JSONDecoder().decode(Envelope.self, from: #require(iterator.envelope))
        #expect(envelope.next == "p2")
    }

    @Test func `the sequence reads no further than the requested element`() async throws {
        let asked = Lock(0)
        let pieces = AsyncStream<Data>(unfolding: {
            asked.withLock { $0 += 1 }
            return Data(#"{"id":1,"name":"A"}"#.utf8) + Data("\n".utf8)
        })
        let (service, transport) = try service(ByteStream(pieces))
        let elements = service.elements(
            of: Track.self, from: DataRequest(.get, "tracks"), at: .lines)
        #expect(transport.requests.isEmpty)
        var seen = 0
        for try await _ in elements {
            seen += 1
            if seen == 3 { break }
        }
        #expect(asked.withLock { $0 } == 3)
    }

    @Test func `an error names an element of another type by its offset, not by its values`()
        async throws
    {
        let (service, _) = try service(
            ByteStream(Data(#"[{"id":1,"name":"A"},{"id":"secret","name":"B"}]"#.utf8)))
        var count = 0
        let error = await #expect(throws: DataRequestError.self) {
            for try await _ in service.elements(
                of: Track.self, from: DataRequest(.get, "tracks"))
            {
                count += 1
            }
        }
        #expect(count == 1)
        #expect(error?.code == .undecodable)
        #expect(error?.message.contains("byte 21") == true)
        #expect(error?.message.contains("id is not of type Int") == true)
        #expect(error?.description.contains("secret") == false)
    }

    @Test func `the sequence ends after an error`() async throws {
        let (service, _) = try service(ByteStream(Data(#"[1,{"id":1,"name":"A"}]"#.utf8)))
        var iterator = service.elements(of: Track.self, from: DataRequest(.get, "tracks"))
            .makeAsyncIterator()
        _ = try? await iterator.next()
        let next = try await iterator.next()
        #expect(next == nil)
    }
}
#endif
