#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosPlatformFoundation
import Testing

struct FirstRequestTests {
    @Test func `a path and a query are resolved below the base URL`() async throws {
        let transport = RecordingTransport { request in
            IncomingResponse(url: request.url, status: .ok, body: ByteStream(Data("[]".utf8)))
        }
        let service = try DataRequestService.forTests(transport)
        let response = try await service.response(
            for: DataRequest(.get, "tracks").query("genre", "Jazz & Blues"))
        #expect(response.status == .ok)
        let sent = try #require(transport.requests.first)
        #expect(
            sent.request.url.absoluteString
                == "https://api.example.com/v1/tracks?genre=Jazz%20%26%20Blues")
    }
}
#endif
