#if RequestCore
import DataRequestCore
import Foundation
import HTTPTypes
import SkiathosLocks
import ReliabilityKit
import Skiathos
import Synchronization
import TestSupport
import Testing

@testable import DataRequestPersistence

struct SyncPagesTests {
    private func next(_ value: String) throws -> String? {
        let url = try #require(URL(string: "https://music.example/api/songs?page=1"))
        return try LinkHeader.next(
            in: IncomingResponse(url: url, status: .ok, headers: [.link: value]))?.absoluteString
    }

    @Test func `the next page is found among links as RFC 8288 writes them`() throws {
        #expect(
            try next(
                "<https://a.example/1>; rel=\"prev\", <?page=2>; title=\"a, b; >\"; rel=\"last next\""
            )
                == "https://music.example/api/songs?page=2")
        #expect(try next("</api/x,y;z>;rel=next") == "https://music.example/api/x,y;z")
        #expect(try next("<x>; REL = NEXT") == "https://music.example/api/x")
        #expect(try next("<x>; rel=nextish, nonsense, <y; rel=next") == nil)
        #expect(try next("<x>; rel=prev; rel=next") == nil)
        // A combining mark after a sign does not hide the sign.
        #expect(
            try next("<a>;\u{301}x,<b>;\u{301}=\"\u{301},\",<c>; rel=\"next\"")
                == "https://music.example/api/c")
        #expect(try next("<a>\u{301}; rel=next") == nil)
        #expect(try next("") == nil)
    }

    @Test(arguments: [
        "https://evil.example/api/songs", "http://music.example/api/songs",
        "https://music.example:8443/api/songs", "https://music.example/other",
        "https://user@music.example/api/songs", "https://music.example/api/../admin",
        "https://music.example/api/a%2F..%2F..%2Fadmin", "https://music.example/api/%2e%2e/admin",
        "https://music.example/apis/x", "https://music.example:99999/api/songs",
        "https://music.example:99999999999999999999/api/songs", "https://music.example/api//songs",
        "https://music.example/api/%5C%5Cevil", "https://music.example/api/a%5Cb",
        "https://music.example/api/a%00b", "https://music.example/api/%252e%252e/x",
        "https://music.example/api/..%CC%81/../../x", "https://music.example/%CC%81api/x",
    ])
    func `a page that leaves the base URL is refused`(_ address: String) throws {
        let base = try #require(URL(string: "https://music.example/api"))
        let url = try #require(URL(string: address))
        let error = #expect(throws: DataRequestError.self) {
            try PageAddress.request(.songs, for: url, below: base)
        }
        #expect(error?.code == .invalidPage)
    }

    @Test func `a page below the base URL keeps its path and query`() throws {
        let base = try #require(URL(string: "https://music.example/api/"))
        let url = try #require(
            URL(string: "https://MUSIC.example:443/api/my%20songs/7?q=a%26b+c%2Bd&flag&x="))
        let request = try PageAddress.request(.songs.header(.accept, "x"), for: url, below: base)
        #expect(request.target == .path("my songs/7"))
        #expect(
            request.query == [
                QueryItem("q", "a&b c+d"), QueryItem("flag", nil), QueryItem("x", ""),
            ])
        #expect(request.headers[.accept] == "x")
    }

    @Test(arguments: [
        ("https://music.example/api/songs/?page=2", "songs/"),
        ("https://music.example/api/songs?page=2", "songs"),
        ("https://music.example/api/?page=2", "/"), ("https://music.example/api?page=2", ""),
        ("https://music.example/api/a/b/", "a/b/"),
    ])
    func `a page keeps the slash at the end of its path`(_ address: String, path: String) throws {
        for base in ["https://music.example/api", "https://music.example/api/"] {
            let base = try #require(URL(string: base))
            let url = try #require(URL(string: address))
            let request = try PageAddress.request(.songs, for: url, below: base)
            #expect(request.target == .path(path))
        }
    }

    @Test(arguments: [
        "\\\\evil", "\\\\evil\\x", "http://music.example:99999/api", "//", "http://[", "",
    ])
    func `a link that is not an address is an invalid page, not the last page`(
        _ target: String
    ) async throws {
        try await SyncFixture.run { fixture in
            fixture.server.set(SyncFixture.numbered(3))
            fixture.server.state.withLock { $0.lastLink = target }
            let error = await #expect(throws: DataRequestError.self) {
                try await fixture.sync { $0.pages = .linkHeader }
            }
            #expect(error?.code == .invalidPage)
            #expect(fixture.server.requests.count == 1)
        }
    }

    @Test(.seeded) func `no random link leads out of the base URL or to another error`()
        async throws
    {
        let base = try #require(URL(string: "https://music.example/api"))
        var generator = SeededNumbers(seed: Seed.current)
        let pieces = [
            "https://music.example", "https://music.example/api", "/api/", "/", "//", "..", ".",
            "\\", "%5C", "%2e", "%252e", "%00", "\u{301}", "\u{200D}", ":99999", ":443", "?a=b",
            "#f", "songs", "%2F", "@", "[", " ", "%", "%3F", ";x",
        ]
        for _ in 0..<Rounds.of(3_000) {
            let target = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }.joined()
            do {
                guard let url = try next("<\(target)>; rel=next").flatMap({ URL(string: $0) })
                else { continue }
                let request = try PageAddress.request(.songs, for: url, below: base)
                let service = try SongServer().service()
                // A path that would leave the base URL has another code than that of a page.
                _ = try await service.response(for: request)
            } catch let error as DataRequestError {
                #expect(error.code == .invalidPage, "\(target.debugDescription): \(error)")
            }
        }
    }

    @Test func `a link to an external host ends the sync without asking`() async throws {
        try await SyncFixture.run { fixture in
            fixture.server.set(SyncFixture.numbered(3))
            fixture.server.state.withLock { $0.lastLink = "https://evil.example/api/songs" }
            let error = await #expect(throws: DataRequestError.self) {
                try await fixture.sync { $0.pages = .linkHeader }
            }
            #expect(error?.code == .invalidPage)
            #expect(fixture.server.requests.count == 1)
        }
    }

    @Test func `a circle of pages ends with an error`() async throws {
        try await SyncFixture.run { fixture in
            fixture.server.set(SyncFixture.numbered(3))
            fixture.server.state.withLock { $0.lastLink = "/api/songs?limit=2" }
            let error = await #expect(throws: DataRequestError.self) {
                try await fixture.sync {
                    $0.pages = .linkHeader
                    $0.maximumPages = 9
                }
            }
            #expect(error?.code == .invalidPage)
        }
    }
}
#endif
