#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosLocks
import SkiathosPlatformFoundation
import Synchronization
import TestClocks
import Testing

struct AuthorisationTests {
    /// Takes one token, and answers others with 401.
    private func transport(taking token: String) -> ScriptedTransport {
        ScriptedTransport { request, _ in
            let isGood = request.headers[.authorization] == "Bearer \(token)"
            return .answer(request, isGood ? .ok : .unauthorized)
        }
    }

    @Test func `a hundred rejected requests make one refresh`() async throws {
        let gate = Gate()
        let transport = ScriptedTransport { request, _ in
            if request.headers[.authorization] == "Bearer new" { return .answer(request) }
            // All are on their way with the old token before the first is rejected.
            await gate.pass()
            return .answer(request, .unauthorized)
        }
        let service = try DataRequestService.forTests(transport)
        let refreshes = Lock(0)
        service.authorisation = BearerAuthoriser(token: "old") { rejected in
            #expect(rejected == "old")
            refreshes.withLock { $0 += 1 }
            return "new"
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await service.response(for: DataRequest(.get, "a")).status.code
                }
            }
            while transport.requests.count < 100 { await Task.yield() }
            gate.open()
            for try await status in group { #expect(status == 200) }
        }
        #expect(refreshes.withLock { $0 } == 1)
        #expect(transport.requests.count == 200)
    }

    @Test func `a service whose refresh uses it is freed after its shutdown`() async throws {
        weak var freed: DataRequestService?
        for isSetLater in [false, true] {
            do {
                let service = try DataRequestService.forTests(transport(taking: "new"))
                freed = service
                service.authorisation = BearerAuthoriser(token: "old") { _ in
                    _ = try await service.get("token") as Data
                    return "new"
                }
                await service.shutDown(deadline: .zero)
                if isSetLater {
                    service.authorisation = BearerAuthoriser(token: "old") { _ in
                        _ = try await service.get("token") as Data
                        return "new"
                    }
                }
                #expect(service.authorisation == nil)
            }
            // The tasks of the service may end a little later.
            let end = ContinuousClock.now + .seconds(120)
            while freed != nil, ContinuousClock.now < end { await Task.yield() }
            #expect(freed == nil)
        }
    }

    @Test func `the authoriser sends user and password, and shows neither`() async throws {
        let transport = ScriptedTransport()
        let service = try DataRequestService.forTests(transport)
        let authoriser = try BasicAuthoriser(user: "Aladdin", password: "open sesame")
        service.authorisation = authoriser
        _ = try await service.response(for: DataRequest(.get, "a"))
        #expect(
            transport.requests.first?.headers[.authorization]
                == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        var dumped = ""
        dump(authoriser, to: &dumped)
        #expect(!"\(authoriser)\(dumped)".contains("QWxh"))
        for user in ["a:b", "a:\u{301}b"] {
            let error = #expect(throws: DataRequestError.self) {
                try BasicAuthoriser(user: user, password: "s3cret")
            }
            #expect(error?.code == .invalidConfiguration)
        }
    }

    @Test func `a refresh that refers to its service weakly does not retain it`() async throws {
        weak var freed: DataRequestService?
        do {
            let service = try DataRequestService.forTests(transport(taking: "new"))
            freed = service
            service.authorisation = BearerAuthoriser(token: "old") { [weak service] _ in
                _ = try await service?.get("token") as Data?
                return "new"
            }
        }
        // The tasks of the service may end a little later.
        let end = ContinuousClock.now + .seconds(120)
        while freed != nil, ContinuousClock.now < end { await Task.yield() }
        #expect(freed == nil)
    }

    @Test func `a failed refresh fails all waiting requests once, with its cause`() async throws {
        struct SignedOut: Error { var secret = "s3cret" }
        let gate = Gate()
        let transport = ScriptedTransport { request, _ in
            await gate.pass()
            return .answer(request, .unauthorized)
        }
        let service = try DataRequestService.forTests(transport)
        let refreshes = Lock(0)
        service.authorisation = BearerAuthoriser(token: "old") { _ in
            refreshes.withLock { $0 += 1 }
            throw SignedOut()
        }
        await withTaskGroup(of: DataRequestError?.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    await failure { _ = try await service.response(for: DataRequest(.get, "a")) }
                }
            }
            while transport.requests.count < 20 { await Task.yield() }
            gate.open()
            for await error in group {
                #expect(error?.code == .unauthorised)
                #expect(error?.cause is SignedOut)
                #expect(error.map { "\($0)".contains("s3cret") } == false)
            }
        }
        #expect(refreshes.withLock { $0 } == 1)
    }

    @Test func `a rejected request is repeated once`() async throws {
        let transport = transport(taking: "another")
        let service = try DataRequestService.forTests(transport)
        service.authorisation = BearerAuthoriser(token: "old") { _ in "new" }
        let error = await failure { _ = try await service.response(for: DataRequest(.get, "a")) }
        #expect(error?.code == .unexpectedStatus)
        #expect(error?.status == .unauthorized)
        #expect(transport.requests.count == 2)
    }

    @Test func `a token that is set during a refresh is kept`() async throws {
        let gate = Gate()
        let service = try DataRequestService.forTests(transport(taking: "bob"))
        let authoriser = BearerAuthoriser(token: "ada") { _ in
            await gate.pass()
            return "ada again"
        }
        service.authorisation = authoriser
        try await call(service) {
            await gate.arrivals(1)
            authoriser.token = "bob"
            gate.open()
        }
        #expect(authoriser.token == "bob")
    }

    @Test func `a rejection of an earlier token refreshes nothing`() async throws {
        let gate = Gate()
        let transport = ScriptedTransport { request, _ in
            if request.headers[.authorization] == "Bearer new" { return .answer(request) }
            await gate.pass()
            return .answer(request, .unauthorized)
        }
        let service = try DataRequestService.forTests(transport)
        let refreshes = Lock<[String?]>([])
        let authoriser = BearerAuthoriser(token: "old") { rejected in
            refreshes.withLock { $0.append(rejected) }
            return "newer"
        }
        service.authorisation = authoriser
        try await call(service) {
            await gate.arrivals(1)
            authoriser.token = "new"
            gate.open()
        }
        #expect(refreshes.withLock { $0 } == [])
        #expect(
            transport.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer new"])
    }

    /// Makes a call that succeeds, during which something happens.
    private func call(
        _ service: DataRequestService, while happening: () async -> Void
    ) async throws {
        let call = Task { try await service.response(for: DataRequest(.get, "a")).status }
        await happening()
        let status = try await call.value
        #expect(status == .ok)
    }

    @Test func `cancelling a waiting request does not cancel the refresh`() async throws {
        let gate = Gate()
        let transport = transport(taking: "new")
        let service = try DataRequestService.forTests(transport)
        service.authorisation = BearerAuthoriser(token: "old") { _ in
            try await gate.passOrCancel()
            return "new"
        }
        let first = Task { try await service.response(for: DataRequest(.get, "a")) }
        await gate.arrivals(1)
        let second = Task { try await service.response(for: DataRequest(.get, "a")) }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        gate.open()
        let status = try await second.value.status
        #expect(status == .ok)
    }

    @Test func `cleared credentials are not sent by another attempt of a running call`()
        async throws
    {
        let gate = Gate()
        let transport = ScriptedTransport { request, number in
            guard number == 0 else { return .answer(request) }
            await gate.pass()
            return .answer(request, .serviceUnavailable, headers: [.retryAfter: "0"])
        }
        let service = try DataRequestService.forTests(transport) {
            $0.random = { 0 }
        }
        service.authorisation = BearerAuthoriser(token: "old")
        let call = Task { try await service.response(for: DataRequest(.get, "a")) }
        await gate.arrivals(1)
        service.authorisation = nil
        gate.open()
        _ = try await call.value
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer old", nil])
    }

    @Test func `a refresh may use the same service`() async throws {
        let transport = ScriptedTransport { request, _ in
            if request.url.path().hasSuffix("/token") {
                #expect(request.headers[.authorization] == nil)
                return .answer(request, .ok, "new")
            }
            let isGood = request.headers[.authorization] == "Bearer new"
            return .answer(request, isGood ? .ok : .unauthorized)
        }
        let service = try DataRequestService.forTests(transport)
        service.authorisation = BearerAuthoriser(token: "old") { [unowned service] _ in
            try await service.response(for: DataRequest(.post, "token")).text()
        }
        let response = try await service.response(for: DataRequest(.get, "a"))
        #expect(response.status == .ok)
    }

    @Test func `a refresh over another service carries the credentials of that service`()
        async throws
    {
        let accounts = ScriptedTransport { request, _ in .answer(request, .ok, "new") }
        let other = try DataRequestService.forTests(accounts)
        other.authorisation = BearerAuthoriser(token: "of the accounts")
        let service = try DataRequestService.forTests(transport(taking: "new"))
        service.authorisation = BearerAuthoriser(token: "old") { _ in
            try await other.response(for: DataRequest(.post, "token")).text()
        }
        let response = try await service.response(for: DataRequest(.get, "a"))
        #expect(response.status == .ok)
        #expect(
            accounts.requests.map { $0.headers[.authorization] } == ["Bearer of the accounts"])
    }

    @Test func `a refresh within a refresh carries the credentials of neither service`()
        async throws
    {
        let inner = ScriptedTransport { request, _ in
            let isGood = request.headers[.authorization] == "Bearer inner"
            return .answer(request, isGood ? .ok : .unauthorized, "outer")
        }
        let outer = ScriptedTransport { request, _ in
            if request.url.path().hasSuffix("/token") { return .answer(request, .ok, "inner") }
            let isGood = request.headers[.authorization] == "Bearer outer"
            return .answer(request, isGood ? .ok : .unauthorized)
        }
        let accounts = try DataRequestService.forTests(inner)
        let service = try DataRequestService.forTests(outer)
        accounts.authorisation = BearerAuthoriser(token: "old") { [unowned service] _ in
            try await service.response(for: DataRequest(.post, "token")).text()
        }
        service.authorisation = BearerAuthoriser(token: "old") { [unowned accounts] _ in
            try await accounts.response(for: DataRequest(.get, "outer")).text()
        }
        let response = try await service.response(for: DataRequest(.get, "a"))
        #expect(response.status == .ok)
        #expect(
            inner.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer inner"])
        #expect(
            outer.requests.map { $0.headers[.authorization] }
                == ["Bearer old", nil, "Bearer outer"])
    }

    @Test func `a refresh carries no credentials of its service after a switch either`()
        async throws
    {
        let transport = ScriptedTransport { request, _ in
            if request.url.path().hasSuffix("/token") { return .answer(request, .ok, "new") }
            let isGood = request.headers[.authorization] == "Bearer new"
            return .answer(request, isGood ? .ok : .unauthorized)
        }
        let service = try DataRequestService.forTests(transport)
        service.authorisation = BearerAuthoriser(token: "old") { [unowned service] _ in
            try service.switchEnvironment(
                to: .forTests("https://two.example"),
                authorisation: BearerAuthoriser(token: "of the second"))
            return try await service.response(for: DataRequest(.post, "token")).text()
        }
        let response = try await service.response(for: DataRequest(.get, "a"))
        #expect(response.status == .ok)
        #expect(
            transport.requests.map { $0.headers[.authorization] }
                == ["Bearer old", nil, "Bearer new"])
    }

    @Test func `a body that can be read once is not repeated, and the error says so`() async throws
    {
        let transport = transport(taking: "new")
        let service = try DataRequestService.forTests(transport)
        service.authorisation = BearerAuthoriser(token: "old") { _ in "new" }
        let request = DataRequest(.post, "a").body(.stream(ByteStream(Data([1]))))
        let error = await failure { _ = try await service.response(for: request) }
        #expect(error?.code == .unauthorised)
        #expect(error?.message.contains("cannot be sent a second time") == true)
        #expect(transport.requests.count == 1)
    }

    @Test func `an authoriser shows no token`() {
        let authoriser = BearerAuthoriser(token: "s3cret")
        var dumped = ""
        dump(authoriser, to: &dumped)
        #expect(!"\(authoriser) \(String(reflecting: authoriser)) \(dumped)".contains("s3cret"))
    }
}
#endif
