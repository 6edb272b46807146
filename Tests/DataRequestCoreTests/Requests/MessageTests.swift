#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosPlatformFoundation
import Testing

/// What messages show of an address.
struct MessageTests {
    @Test(arguments: [
        "tracks?token", "tracks?\u{301}token", "tracks#token", "tracks;token", "tracks%3Ftoken",
        "tracks%253Ftoken", "tracks%3ftoken", "tracks%23token", "tracks%25253btoken",
    ])
    func `no message shows a query that is typed into a path`(
        _ start: String
    ) async throws {
        let transport = ScriptedTransport(.notFound)
        let service = try DataRequestService.forTests(transport)
        let request = DataRequest(.get, start + "s3cret")
        let unexpected = try #require(
            await failure { _ = try await service.response(for: request) })
        #expect(!"\(unexpected)".contains("s3cret"))
        #expect(unexpected.message.contains("https://api.example.com/v1/tracks"))
        await service.shutDown(deadline: .zero)
        let refused = try #require(await failure { _ = try await service.response(for: request) })
        #expect(!"\(refused)".contains("s3cret"))
    }

    @Test func `the refusal of a query in a path says what to write instead`() async throws {
        let transport = ScriptedTransport()
        let service = try DataRequestService.forTests(transport)
        let error = try #require(
            await failure { _ = try await service.get("tracks?genre=s3cret") as Data })
        #expect(error.code == .invalidPath)
        #expect(error.message.contains(".query("))
        #expect(!"\(error)".contains("s3cret"))
        #expect(transport.requests.isEmpty)
        _ = try await service.get("who is it?") as Data
        #expect(transport.requests.first?.url.path() == "/v1/who%20is%20it%3F")
    }

    @Test func `no message shows the query of an external address or of a redirect`() async throws {
        let url = try #require(URL(string: "https://h.example/x;s3cret?s3cret#s3cret"))
        let transport = ScriptedTransport(
            .found, headers: [.location: "ftp://h.example/?s3cret"])
        let service = try DataRequestService.forTests(transport)
        let error = try #require(
            await failure { _ = try await service.response(for: DataRequest(.get, external: url)) })
        #expect(error.code == .redirectRefused)
        #expect(!"\(error)".contains("s3cret"))
    }
}
#endif
