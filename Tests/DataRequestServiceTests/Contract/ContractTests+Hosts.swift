#if Requests
import DataRequestService
import Foundation
import HTTPTypes
import Hummingbird
import RequestTestKit
import Testing

extension ContractTests {
    /// What the peer says of the credentials of a request.
    private struct Turn: Decodable {
        var turn: Int
        var authorization: String?
    }

    @Test func `requests to external hosts carry no credentials`() async throws {
        try await withPeer { external in
            try await withPeer { base in
                try await withService(base, headers: [.cookie: "session=1"]) { service in
                    service.authorisation = BearerAuthoriser(token: "secret")
                    let own = try await service.get("echo", as: Echo.self)
                    #expect(own.header("authorization") == "Bearer secret")
                    #expect(own.header("cookie") == "session=1")
                }
                try await withService(base, headers: [.cookie: "session=1"]) {
                    $0.allowsExternalCleartext = true
                } run: { service in
                    service.authorisation = BearerAuthoriser(token: "secret")
                    let echo = try await service.decode(
                        Echo.self,
                        from: DataRequest(.get, external: external.appending(path: "echo")))
                    #expect(echo.header("authorization") == nil)
                    #expect(echo.header("cookie") == nil)
                }
            }
        }
    }

    @Test func `a redirect to another server leaves credentials behind`() async throws {
        try await withPeer { other in
            try await withServer(host: "127.0.0.1") { router in
                router.get("away") { _, _ in
                    Response.redirect(
                        to: other.appending(path: "echo").absoluteString, type: .found)
                }
            } run: { base in
                try await withService(base, headers: [.cookie: "session=1"]) { service in
                    service.authorisation = BearerAuthoriser(token: "secret")
                    let echo = try await service.get("away", as: Echo.self)
                    #expect(echo.header("authorization") == nil)
                    #expect(echo.header("cookie") == nil)
                }
            }
        }
    }

    @Test func `a loop of redirects ends with an error`() async throws {
        try await withServer(host: "127.0.0.1") { router in
            router.get("a") { _, _ in Response.redirect(to: "/b", type: .temporary) }
            router.get("b") { _, _ in Response.redirect(to: "/a", type: .temporary) }
        } run: { base in
            try await withService(base) { service in
                let code = await errorCode { _ = try await service.get("a") }
                #expect(code == .init(rawValue: "redirectRefused"))
            }
        }
    }

    @Test func `authorisation is set, renewed after 401, and cleared`() async throws {
        try await withPeer { base in
            try await withService(base) { service in
                service.authorisation = BearerAuthoriser(token: "old") { _ in "new" }
                let turn = try await service.get(
                    "statuses", query: [QueryItem("codes", "401,200"), QueryItem("key", "a")],
                    as: Turn.self)
                #expect(turn.turn == 2)
                #expect(turn.authorization == "Bearer new")
                service.authorisation = nil
                let cleared = try await service.get("echo", as: Echo.self)
                #expect(cleared.header("authorization") == nil)
            }
        }
    }

    @Test(arguments: ["429,200", "503,503,200"])
    func `a request is repeated after the Retry-After of the server`(_ codes: String) async throws {
        try await withPeer { base in
            try await withService(base) { service in
                let turn = try await service.get(
                    "statuses",
                    query: [
                        QueryItem("codes", codes), QueryItem("key", "b"), QueryItem("after", "0"),
                    ], as: Turn.self)
                #expect(turn.turn == codes.split(separator: ",").count)
            }
        }
    }

    @Test func `a POST that was answered with 503 is not sent twice`() async throws {
        try await withPeer { base in
            try await withService(base) { service in
                let path = DataRequest(.post, "statuses").query("codes", "503,200").query(
                    "key", "c")
                let error = await expectError(.unexpectedStatus) {
                    _ = try await service.data(for: path.body(.data(Data("a".utf8))))
                }
                #expect(error?.status?.code == 503)
            }
        }
    }

    @Test func `the environment is switched with a notification, over real servers`() async throws {
        try await withPeer { first in
            try await withPeer { second in
                try await withService(first) { service in
                    var changes = service.environmentChanges.makeAsyncIterator()
                    let before = try await service.get("echo", as: Echo.self)
                    try service.switchEnvironment(to: ServerEnvironment("second", baseURL: second))
                    let change = await changes.next()
                    #expect(change?.name == "second")
                    let after = try await service.get("echo", as: Echo.self)
                    #expect(before.header("host") == "127.0.0.1:\(first.port ?? 0)")
                    #expect(after.header("host") == "127.0.0.1:\(second.port ?? 0)")
                }
            }
        }
    }

    @Test func `reachability is derived from real exchanges and its changes are a stream`()
        async throws
    {
        try await withPeer { base in
            let unreachable = try #require(URL(string: "http://127.0.0.1:1"))
            try await withService(base) {
                $0.retry = .never
            } run: { service in
                var changes = service.reachabilityChanges.makeAsyncIterator()
                let start = await changes.next()
                #expect(start == .unknown)
                _ = try await service.get("echo", as: Echo.self)
                let reached = await changes.next()
                #expect(reached?.isReachable == true)
                try service.switchEnvironment(to: ServerEnvironment("none", baseURL: unreachable))
                for _ in 0..<2 { _ = await errorCode { _ = try await service.get("x") } }
                guard case .unreachable(_, .connectionFailed) = service.reachability else {
                    Issue.record("Expected an unreachable host, found \(service.reachability).")
                    return
                }
            }
        }
    }

    @Test func `the shutdown lets calls finish within a deadline, or cancels them`() async throws {
        let (hasArrived, arrived) = AsyncStream.makeStream(of: Void.self)
        let (mayAnswer, answer) = AsyncStream.makeStream(of: Void.self)
        try await withRawServer { raw, number in
            _ = await raw.readHead()
            arrived.yield()
            if number > 0 { return await raw.untilClosed() }
            _ = await mayAnswer.first { true }
            try await raw.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        } run: { url in
            let service = try DataRequestService(
                environment: ServerEnvironment("test", baseURL: url),
                connections: .patient, configuration: .patient)
            var arrivals = hasArrived.makeAsyncIterator()
            async let finishing = service.get("finishes")
            await arrivals.next()
            async let hanging = errorCode { _ = try await service.get("hangs") }
            await arrivals.next()
            answer.yield()
            let body = try await finishing
            #expect(body == Data("ok".utf8))
            let report = await service.shutDown(deadline: .milliseconds(10))
            let code = await hanging
            #expect(code == .shutDown)
            #expect(report.cancelled.count == 1)
            await expectError(.shutDown) { _ = try await service.get("late") }
        }
    }

    @Test func `a service with a security policy connects only to pinned servers`() async throws {
        let authority = try TestAuthority()
        let issued = try authority.issue()
        try await withServer(.http2(try issued.serverConfiguration())) { router in
            router.get("item") { _, _ in #"{"id":1,"name":"a"}"# }
        } run: { base in
            let other = Data(repeating: 1, count: 32).base64EncodedString()
            for (pin, isRight) in [(issued.keyPin, true), (other, false)] {
                let policy = SecurityPolicy(
                    trust: authority.trust,
                    pins: [
                        try PinSet(
                            hosts: "localhost", pins: [.publicKey(sha256: pin)],
                            allowingSinglePin: true)
                    ])
                try await withService(base, security: policy) { service in
                    let code = await errorCode { _ = try await service.get("item") }
                    #expect(code == (isRight ? nil : .pinMismatch))
                }
            }
        }
    }
}
#endif
