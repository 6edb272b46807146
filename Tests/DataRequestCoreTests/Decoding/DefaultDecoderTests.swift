#if RequestCore
import DataRequestCore
import Foundation
import HTTPTypes
import Testing

/// `configuration.decoder`, and what goes before it.
struct DefaultDecoderTests {
    private struct Track: Decodable, Sendable, Equatable {
        var firstPlayed: Date
    }

    private struct Refusal: Decodable, Sendable, Equatable {
        var shortReason: String
    }

    private static let day = Date(timeIntervalSince1970: 86_400)

    private func service(
        _ body: String, _ status: HTTPResponse.Status = .ok, type: String = "application/json",
        _ configure: (inout DataRequestService.Configuration) -> Void = { _ in }
    ) throws -> DataRequestService {
        let transport = ScriptedTransport { request, _ in
            .answer(request, status, headers: [.contentType: type], body)
        }
        return try .forTests(transport) { configuration in
            configuration.decoder.keyDecodingStrategy = .convertFromSnakeCase
            configuration.decoder.dateDecodingStrategy = .iso8601
            configure(&configuration)
        }
    }

    @Test func `answers are decoded with the decoder of the service`() async throws {
        let service = try service(#"{"first_played": "1970-01-02T00:00:00Z"}"#)
        let track = try await service.get("tracks/7", as: Track.self)
        #expect(track == Track(firstPlayed: Self.day))
        let answer = try await service.answer(Track.self, for: DataRequest(.get, "tracks/7"))
        #expect(answer.value == track)
    }

    @Test func `a serializer without a decoder of its own uses the decoder of the service`()
        async throws
    {
        let service = try service(
            #"{"first_played": "1970-01-02T00:00:00Z"}"#, type: "text/html")
        let track = try await service.decode(
            Track.self, from: DataRequest(.get, "tracks/7"), using: JSONSerializer())
        #expect(track == Track(firstPlayed: Self.day))
    }

    @Test func `a request that names its own decoder uses it`() async throws {
        let own = JSONSerializer {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .secondsSince1970
            return decoder
        }
        let service = try service(#"{"firstPlayed": 86400}"#)
        let track = try await service.decode(
            Track.self, from: DataRequest(.get, "tracks/7"), using: own)
        #expect(track == Track(firstPlayed: Self.day))
        // And so has a serializer of the configuration.
        let configured = try self.service(#"{"firstPlayed": 86400}"#) {
            $0.serializers.append(own)
        }
        let other = try await configured.get("tracks/7", as: Track.self)
        #expect(other == track)
    }

    @Test func `bodies of unexpected statuses are decoded with the decoder of the service`()
        async throws
    {
        let service = try service(#"{"short_reason": "gone"}"#, .gone)
        let error = await failure {
            try await service.send(DataRequest(.get, "tracks/7").failing(with: Refusal.self))
        }
        #expect(error?.decoded(Refusal.self) == Refusal(shortReason: "gone"))
    }

    @Test func `streamed elements are decoded with the decoder of the service, or a given one`()
        async throws
    {
        let service = try service(#"[{"first_played": "1970-01-02T00:00:00Z"}]"#)
        let request = DataRequest(.get, "tracks")
        var tracks: [Track] = []
        for try await track in service.elements(of: Track.self, from: request) {
            tracks.append(track)
        }
        #expect(tracks == [Track(firstPlayed: Self.day)])
        let error = await failure {
            for try await _ in service.elements(
                of: Track.self, from: request, decoder: JSONDecoder())
            {}
        }
        #expect(error?.code == .undecodable)
    }

    @Test func `two configurations have decoders of their own`() {
        let (first, second) = (
            DataRequestService.Configuration(), DataRequestService.Configuration()
        )
        #expect(first.decoder !== second.decoder)
    }
}
#endif
