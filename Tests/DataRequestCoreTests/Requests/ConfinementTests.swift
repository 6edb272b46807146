#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosPlatformFoundation
import Testing
import TestSupport

struct ConfinementTests {
    private func sent(
        _ request: DataRequest, base: String = "https://api.example.com/v1",
        configure: (inout DataRequestService.Configuration) -> Void = { _ in }
    ) async throws -> OutgoingRequest {
        let transport = ScriptedTransport()
        let service = try DataRequestService.forTests(
            transport, base: base, headers: [.userAgent: "tests"], configure)
        _ = try await service.response(for: request)
        return try #require(transport.requests.first)
    }

    private func address(_ path: String) async throws -> String {
        try await sent(DataRequest(.get, path)).url.absoluteString
    }

    @Test(arguments: [
        ("tracks/7", "/tracks/7"), ("", ""), ("/", "/"), ("/tracks", "/tracks"),
        ("tracks/", "/tracks/"), ("a/./b/../c", "/a/c"), ("what?", "/what%3F"), ("c#", "/c%23"),
        ("a b", "/a%20b"), ("ä", "/%C3%A4"), ("50%", "/50%25"), ("a%2Fb", "/a%252Fb"),
        ("what%3F", "/what%253F"), ("a%3D1", "/a%253D1"), ("c%23", "/c%2523"),
        ("a=%3F", "/a=%253F"),
        ("/a%2Fb/", "/a%252Fb/"), ("a%2F", "/a%252F"), ("a%252Fb", "/a%25252Fb"),
        ("x%3Ay%40z", "/x%253Ay%2540z"),
        ("a;v=1", "/a%3Bv=1"), ("x:y@z", "/x:y@z"), ("...", "/..."), ("..a", "/..a"),
        ("a/\u{301}b", "/a/%CC%81b"), ("..\u{301}/x", "/..%CC%81/x"), ("a/\u{301}", "/a/%CC%81"),
        ("a/\u{301}/../b", "/a/b"),
    ])
    func `a path is appended to the base URL by segments`(
        path: String, expected: String
    )
        async throws
    {
        let address = try await address(path)
        #expect(address == "https://api.example.com/v1" + expected)
    }

    @Test(arguments: [
        "..", "../admin", "a/../../admin", "/../x", "//evil.example", "///x",
        "https://evil.example/",
        "a//b", "%2e%2e/admin", "%2E%2E%2Fadmin", "%252e%252e/x", "a/%2e./b", "..\\x", "a\\b",
        "%5c%5cevil", "a\u{0}b", "a\r\nb", "%00", "%0d%0aHost: x", "\u{7F}", "..%2f..%2fx",
        "../\u{301}x.txt", "a/../../\u{301}x", "/\u{301}/../../x", "//\u{301}evil.example",
        "https://\u{301}evil.example", "%2e%2e/\u{301}x", "..%2f\u{301}x",
        "%2F%2Fevil.example/x", "/%2Fevil.example", "%2fevil.example", "%252F%252Fevil.example",
        "%2F", "a%2F%2Fadmin", "a%2F/b", "a/%2Fb", "a%2f%252fb", "%2F%2F\u{301}evil.example",
        "http%3A%2F%2Fevil.example", "http:%2F%2Fevil.example", "http%253A%252F%252Fevil.example",
        "tracks?genre=Jazz", "tracks%3Fgenre=Jazz", "tracks%3fgenre%3dJazz", "tracks?genre%3DJazz",
        "tracks%253Fgenre%253DJazz", "tracks%3F\u{301}genre=Jazz",
    ])
    func `a path that would leave the base URL is refused`(path: String) async throws {
        let transport = ScriptedTransport()
        let service = try DataRequestService.forTests(transport)
        let error = await failure { _ = try await service.response(for: DataRequest(.get, path)) }
        #expect(error?.code == .invalidPath)
        #expect(error?.retry == .no)
        #expect(transport.requests.isEmpty)
    }

    @Test(.seeded) func `no random path leaves the base URL`() async throws {
        let transport = ScriptedTransport()
        let service = try DataRequestService.forTests(
            transport, base: "http://api.example.com:8080/v1/x%20y")
        var generator = SeededNumbers(seed: Seed.current)
        let pieces = [
            ".", "..", "/", "//", "\\", "%", "%2e", "%2F", "%5c", "%00", "a", "ä", "\u{1F600}", "?",
            "#", "@", ":", "[", "]", " ", "\r\n", "http:", "evil.example", "%25", "25", ";", "&",
            "=", "%3F", "%3D", "%3A",
            "\u{FF0E}", "\u{202E}", "\u{301}", "\u{200D}", "\u{FE0F}", "\u{1F3FD}",
        ]
        for _ in 0..<2_000 {
            let path = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }.joined()
            let error = await failure {
                _ = try await service.response(for: DataRequest(.get, path))
            }
            if let error { #expect(error.code == .invalidPath, "\(path.debugDescription)") }
        }
        for request in transport.requests {
            let url = request.url
            #expect(url.scheme == "http" && url.host() == "api.example.com" && url.port == 8080)
            #expect(url.user == nil && url.query == nil && url.fragment == nil)
            let path = url.path(percentEncoded: true)
            #expect(path == "/v1/x%20y" || path.hasPrefix("/v1/x%20y/"), "\(path)")
            let decoded = url.path(percentEncoded: false).utf8
            #expect(
                !decoded.split(separator: UInt8(ascii: "/")).contains {
                    $0.elementsEqual("..".utf8)
                },
                "\(path)")
            expectConfined(path)
        }
    }

    /// Decodes a path as servers may, once or more often, and looks for what is refused in a path
    /// that is not encoded.
    private func expectConfined(_ path: String) {
        var text = path
        while let decoded = PathEncoding.decoded(text), decoded != text {
            text = decoded
            let segments = text.parts(at: "/")
            #expect(segments.dropFirst().dropLast().allSatisfy { !$0.isEmpty }, "\(path)")
            #expect(!segments.contains { $0.equals("..") || $0.equals(".") }, "\(path)")
            #expect(!text.parts(at: "?").dropFirst().contains { $0.has("=") }, "\(path)")
        }
    }

    @Test(arguments: [
        ("http://[::1]:8080", "http://[::1]:8080/t"),
        ("https://API.Example.com:443/V1/", "https://api.example.com/V1/t"),
        ("https://xn--mnchen-3ya.example/a%20b", "https://xn--mnchen-3ya.example/a%20b/t"),
    ])
    func `a base URL is written in one form`(base: String, expected: String) async throws {
        let url = try await sent(DataRequest(.get, "t"), base: base).url
        #expect(url.absoluteString == expected)
    }

    @Test func `a query is encoded strictly`() async throws {
        let request = DataRequest(.get, "t").query("q", "a+b&c;d=e f/ü").query("flag", nil)
        let url = try await sent(request).url
        #expect(
            url.absoluteString
                == "https://api.example.com/v1/t?q=a%2Bb%26c%3Bd%3De%20f%2F%C3%BC&flag")
    }

    @Test func `a header cannot carry another one`() async throws {
        let error = await failure {
            _ = try await sent(DataRequest(.get, "t").header(.acceptLanguage, "en\r\nCookie: a=b"))
        }
        #expect(error?.code == .invalidHeader)
        #expect(error?.isUnsent == true)
        #expect(error?.message.contains("Cookie") == false)
        var request = DataRequest(.get, "t")
        request.headers[.acceptLanguage] = "en\r\nCookie: a=b"
        let value = try await sent(request).headers[.acceptLanguage]
        #expect(value?.contains(where: \.isNewline) == false)
    }

    @Test func `headers of a request win over those of the environment`() async throws {
        let plain = try await sent(DataRequest(.get, "t")).headers
        #expect(plain[.userAgent] == "tests")
        let own = try await sent(DataRequest(.get, "t").header(.userAgent, "mine")).headers
        #expect(own[.userAgent] == "mine")
    }

    @Test func `an external request carries nothing of the environment, even to the base host`()
        async throws
    {
        for address in ["https://other.example/x?a=b#f", "https://api.example.com/v1/x?a=b"] {
            let url = try #require(URL(string: address))
            let transport = ScriptedTransport()
            let service = try DataRequestService.forTests(
                transport, headers: [.userAgent: "tests", .cookie: "a=b"])
            service.authorisation = BearerAuthoriser(token: "s3cret")
            _ = try await service.response(for: DataRequest(.get, external: url).query("c", "d"))
            let request = try #require(transport.requests.first)
            #expect(request.headers.map(\.name) == [.acceptEncoding])
            #expect(request.url.query(percentEncoded: true) == "a=b&c=d")
            #expect(request.url.fragment == nil)
        }
    }

    @Test func `an external request is encrypted unless that is allowed`() async throws {
        let url = try #require(URL(string: "http://other.example/"))
        let error = await failure { _ = try await sent(DataRequest(.get, external: url)) }
        #expect(error?.code == .invalidPath)
        let request = try await sent(DataRequest(.get, external: url)) {
            $0.allowsExternalCleartext = true
        }
        #expect(request.url == url)
        let user = try #require(URL(string: "https://me:pw@other.example/"))
        let second = await failure { _ = try await sent(DataRequest(.get, external: user)) }
        #expect(second?.code == .invalidPath)
        #expect(second?.message.contains("pw") == false)
    }

    @Test(arguments: [
        "api.example.com", "/v1", "ftp://api.example.com", "https://u:p@api.example.com",
        "https://api.example.com/?a=b", "https://api.example.com/#f",
        "https://api.example.com/a/../b",
        "https:///v1", "https://m\u{FC}nchen.example", "mailto:me@example.com",
    ])
    func `an invalid base URL is refused when the service is made`(base: String) throws {
        #expect {
            _ = try DataRequestService.forTests(ScriptedTransport(), base: base)
        } throws: {
            ($0 as? DataRequestError)?.code == .invalidConfiguration
        }
    }

    @Test func `the header Priority states the urgency`() async throws {
        let high = try await sent(DataRequest(.get, "t").priority(.high)).headers
        #expect(high[.priority] == "u=1")
        let normal = try await sent(DataRequest(.get, "t")).headers
        #expect(normal[.priority] == nil)
    }
}
#endif
