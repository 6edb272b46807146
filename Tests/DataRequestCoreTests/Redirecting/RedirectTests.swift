#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosPlatformFoundation
import Testing

struct RedirectTests {
    /// Sends each address on to the next, and answers at the last.
    private func transport(
        _ status: HTTPResponse.Status = .found, _ targets: String...
    ) -> ScriptedTransport {
        ScriptedTransport { request, number in
            guard number < targets.count else { return .answer(request, .ok, "done") }
            return .answer(request, status, headers: [.location: targets[number]])
        }
    }

    private func send(
        _ request: DataRequest, over transport: ScriptedTransport,
        configure: (inout DataRequestService.Configuration) -> Void = { _ in }
    ) async throws -> IncomingResponse {
        let service = try DataRequestService.forTests(
            transport, headers: [.userAgent: "tests"], configure)
        service.authorisation = BearerAuthoriser(token: "s3cret")
        return try await service.response(for: request)
    }

    @Test func `a redirect at the same origin keeps the credentials`() async throws {
        let transport = transport(.found, "/v1/b?x=1#f", "c")
        let response = try await send(DataRequest(.get, "a"), over: transport)
        #expect(response.url.absoluteString == "https://api.example.com/v1/c")
        #expect(
            transport.requests.map(\.url.absoluteString).dropFirst().first
                == "https://api.example.com/v1/b?x=1")
        #expect(transport.requests.allSatisfy { $0.headers[.authorization] == "Bearer s3cret" })
    }

    @Test func `a redirect to another origin leaves all credentials behind, also coming back`()
        async throws
    {
        let transport = transport(
            .found, "https://other.example/x", "https://api.example.com/v1/b")
        let request = DataRequest(.get, "a").header(.cookie, "a=b").header(.from, "me")
            .header(.acceptLanguage, "en")
        _ = try await send(request, over: transport) { $0.sensitiveHeaders = [.from] }
        #expect(transport.requests.count == 3)
        for later in transport.requests.dropFirst() {
            #expect(later.headers.map(\.name) == [.acceptLanguage, .acceptEncoding])
        }
        #expect(transport.requests.first?.headers[.cookie] == "a=b")
        #expect(transport.requests.first?.headers[.from] == "me")
    }

    @Test(arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func `the method follows the status`(status: Int, method: String) async throws {
        let transport = transport(.init(code: status), "b")
        let describing: [HTTPField.Name] = [
            .contentType, .contentLength, .contentEncoding, .contentLanguage, .contentLocation,
            .lastModified, .expect,
        ]
        var request = DataRequest(.post, "a").body(.data(Data("body".utf8)))
            .header(.accept, "text/plain")
        for name in describing {
            request = request.header(name, name == .contentLength ? "4" : "x")
        }
        _ = try await send(request, over: transport)
        let last = try #require(transport.requests.last)
        #expect(last.method.rawValue == method)
        #expect(last.body.length == (method == "GET" ? 0 : 4))
        #expect(last.headers[.accept] == "text/plain")
        for name in describing {
            #expect((last.headers[name] == nil) == (method == "GET"), "\(name)")
        }
    }

    @Test(arguments: [
        ("POST", 301, false), ("POST", 302, false), ("POST", 303, true), ("POST", 307, true),
        ("POST", 308, true), ("PUT", 302, true), ("GET", 302, true),
    ])
    func `a policy that keeps bodies follows no redirect that makes GET of POST`(
        method: String, status: Int, isFollowed: Bool
    ) async throws {
        let transport = transport(.init(code: status), "b")
        var policy = RedirectPolicy.follow()
        policy.keepsBody = true
        let method = try #require(HTTPRequest.Method(method))
        let request = DataRequest(method, "a").redirecting(policy).expecting(.any)
        let response = try await send(request, over: transport)
        #expect(response.status.code == (isFollowed ? 200 : status))
        #expect(transport.requests.count == (isFollowed ? 2 : 1))
    }

    @Test func `a body that can be read once is not sent on`() async throws {
        let transport = transport(.temporaryRedirect, "b")
        let request = DataRequest(.post, "a").body(.stream(ByteStream(Data([1]))))
        let error = await failure { _ = try await send(request, over: transport) }
        #expect(error?.code == .redirectRefused)
        #expect(transport.requests.count == 1)
    }

    @Test func `loops, too many and unencrypted redirects are refused, with no query in the error`()
        async throws
    {
        let loop = ScriptedTransport { request, _ in
            let next = request.url.path().hasSuffix("a") ? "b?k=s3cret" : "a?k=s3cret"
            return .answer(request, .found, headers: [.location: next])
        }
        let first = await failure {
            _ = try await send(DataRequest(.get, "a").query("k", "s3cret"), over: loop)
        }
        #expect(first?.code == .redirectRefused)
        #expect(first?.message.contains("from https://api.example.com/v1/b to ") == true)
        #expect(first.map { "\($0)".contains("s3cret") } == false)
        let endless = ScriptedTransport { request, number in
            .answer(request, .found, headers: [.location: "\(number)"])
        }
        let second = await failure { _ = try await send(DataRequest(.get, "a"), over: endless) }
        #expect(second?.code == .redirectRefused)
        #expect(endless.requests.count == 11)
        let third = await failure {
            _ = try await send(
                DataRequest(.get, "a"), over: transport(.found, "http://api.example.com/v1/b"))
        }
        #expect(third?.code == .redirectRefused)
    }

    @Test(arguments: ["ftp://x/y", "https://u:p@other.example/", "javascript:alert(1)", "https://"])
    func `a redirect to an invalid address is refused`(target: String) async throws {
        let error = await failure {
            _ = try await send(DataRequest(.get, "a"), over: transport(.found, target))
        }
        #expect(error?.code == .redirectRefused)
    }

    @Test(arguments: [false, true])
    func `a request is not unsent any more after a redirect`(isRedirected: Bool) async throws {
        let transport = ScriptedTransport { request, number in
            if isRedirected, number == 0 {
                return .answer(request, .temporaryRedirect, headers: [.location: "b"])
            }
            var error = DataRequestError(.timedOut, "There is no free connection.")
            error.isUnsent = true
            throw error
        }
        let error = await failure { _ = try await send(DataRequest(.get, "a"), over: transport) }
        #expect(error?.isUnsent == !isRedirected)
    }

    @Test func `a policy limits the redirects that are followed`() async throws {
        let refused = await failure {
            _ = try await send(
                DataRequest(.get, "a").redirecting(.sameOrigin()),
                over: transport(.found, "https://other.example/"))
        }
        #expect(refused?.code == .redirectRefused)
        let response = try await send(
            DataRequest(.get, "a").redirecting(.none).expecting(.found),
            over: transport(.found, "b"))
        #expect(response.status == .found)
        #expect(response.headers[.location] == "b")
    }
}
#endif
