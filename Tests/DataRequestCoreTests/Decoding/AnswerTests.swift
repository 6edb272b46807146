#if RequestCore
import DataRequestCore
import HTTPTypes
import Testing

struct AnswerTests {
    private struct Track: Decodable, Sendable {
        var id: Int
    }

    @Test func `an answer has its value, its status and its headers`() async throws {
        let transport = ScriptedTransport { request, _ in
            .answer(
                request, .created,
                headers: [.contentType: "application/json", .location: "/v1/tracks/7"],
                #"{"id": 7}"#)
        }
        let service = try DataRequestService.forTests(transport)
        let answer = try await service.answer(Track.self, for: DataRequest(.post, "tracks"))
        #expect(answer.value.id == 7)
        #expect(answer.status == .created)
        #expect(answer.headers[.location] == "/v1/tracks/7")
        let response = try await service.response(for: DataRequest(.post, "tracks"))
        let body = try await response.body.collect(upTo: 100)
        #expect(body.count == 9)
        let again = try await service.response(for: DataRequest(.post, "tracks"))
        let error = await failure { _ = try await again.body.collect(upTo: 8) }
        #expect(error?.code == .tooLarge)
    }
}
#endif
