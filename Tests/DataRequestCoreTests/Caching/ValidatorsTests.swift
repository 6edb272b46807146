#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosPlatformFoundation
import Testing

struct ValidatorsTests {
    @Test func `validators become headers, and 304 becomes a success`() {
        let plain = DataRequest(.get, "tracks")
        let asked = plain.validators(Validators(etag: "\"v7\"", lastModified: "yesterday"))
        #expect(asked.headers[.ifNoneMatch] == "\"v7\"")
        #expect(asked.headers[.ifModifiedSince] == "yesterday")
        #expect(asked.expectedStatuses.contains(.notModified))
        #expect(asked.expectedStatuses.contains(.ok))
        #expect(!plain.expectedStatuses.contains(.notModified))
    }

    @Test func `empty validators change nothing`() {
        let asked = DataRequest(.get, "tracks").validators(Validators())
        #expect(asked.headers.isEmpty)
        #expect(!asked.expectedStatuses.contains(.notModified))
    }

    @Test func `an answer gives its validators`() throws {
        let url = try #require(URL(string: "https://api.example.com/"))
        let response = IncomingResponse(
            url: url, status: .ok, headers: [.eTag: "W/\"a\"", .lastModified: "today"])
        #expect(response.validators == Validators(etag: "W/\"a\"", lastModified: "today"))
        #expect(!response.validators.hasStrongTag)
        #expect(Validators(etag: "\"a\"").hasStrongTag)
    }
}
#endif
