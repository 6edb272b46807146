#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosLocks
import SkiathosPlatformFoundation
import Synchronization
import TestClocks
import Testing

final class EnvironmentTests: Sendable {
    private final class Transports: Sendable {
        let byName = Lock<[String: ScriptedTransport]>([:])
    }

    private let transports = Transports()
    private let gate = Gate()

    private func service() throws -> DataRequestService {
        var configuration = DataRequestService.Configuration()
        configuration.clock = TestClock()
        configuration.random = { 0 }
        return try DataRequestService(
            environment: .forTests(
                "https://one.example/v1", headers: [.userAgent: "one"], name: "one"),
            configuration: configuration
        ) { [transports, gate] environment in
            let transport = ScriptedTransport { request, number in
                if request.url.path().hasSuffix("slow"), number == 0 {
                    try await gate.passOrCancel()
                    return .answer(request, .unauthorized)
                }
                return .answer(request)
            }
            transports.byName.withLock { $0[environment.name] = transport }
            return transport
        }
    }

    private func transport(_ name: String) throws -> ScriptedTransport {
        try #require(transports.byName.withLock { $0[name] })
    }

    private func two() throws -> ServerEnvironment {
        try .forTests("https://two.example/v2", headers: [.userAgent: "two"], name: "two")
    }

    @Test func `a call that finishes after a switch keeps its whole environment`() async throws {
        let service = try service()
        service.authorisation = BearerAuthoriser(token: "old") { _ in "new" }
        let call = Task { try await service.response(for: DataRequest(.get, "slow")) }
        await gate.arrivals(1)
        try service.switchEnvironment(to: two(), inFlight: .finish)
        #expect(service.environment.name == "two")
        #expect(service.authorisation == nil)
        _ = try await service.response(for: DataRequest(.get, "fast"))
        let second = try #require(try transport("two").requests.first)
        #expect(second.url.absoluteString == "https://two.example/v2/fast")
        #expect(second.headers[.userAgent] == "two")
        #expect(second.headers[.authorization] == nil)
        #expect(try transport("one").shutDownCount == 0)
        gate.open()
        _ = try await call.value
        let first = try transport("one").requests
        #expect(
            first.map(\.url.absoluteString)
                == Array(repeating: "https://one.example/v1/slow", count: 2))
        #expect(first.map { $0.headers[.authorization] } == ["Bearer old", "Bearer new"])
        while try transport("one").shutDownCount == 0 { await Task.yield() }
        await service.shutDown()
        #expect(try transport("one").shutDownCount == 1)
        #expect(try transport("two").shutDownCount == 1)
    }

    @Test func `a switch cancels running calls if requested`() async throws {
        let service = try service()
        let call = Task { try await service.response(for: DataRequest(.get, "slow")) }
        await gate.arrivals(1)
        try service.switchEnvironment(to: two(), inFlight: .cancel)
        let error = await failure { _ = try await call.value }
        #expect(error?.code == .environmentChanged)
        #expect(error?.message.contains("https://one.example/v1/slow") == true)
    }

    @Test func `a call whose environment is refused sends nothing`() async throws {
        struct Refused: Error {}
        let service = try service()
        let request = DataRequest(.get, "fast")
        await #expect(throws: Refused.self) {
            _ = try await service.response(for: request) { _ in throw Refused() }
        }
        #expect(try transport("one").requests.isEmpty)
        try service.switchEnvironment(to: two())
        _ = try await service.response(for: request) { environment in
            guard environment.name == "two" else { throw Refused() }
        }
        #expect(try transport("two").requests.count == 1)
    }

    @Test func `every listener is notified of switches in order`() async throws {
        let service = try service()
        let streams = [service.environmentChanges, service.environmentChanges]
        try service.switchEnvironment(to: two())
        try service.switchEnvironment(to: .forTests("https://one.example", name: "three"))
        await service.shutDown()
        for stream in streams {
            var names: [String] = []
            for await environment in stream { names.append(environment.name) }
            #expect(names == ["two", "three"])
        }
        #expect(throws: DataRequestError.self) { try service.switchEnvironment(to: two()) }
    }

    @Test func `a switch to an invalid environment changes nothing`() async throws {
        let service = try service()
        let bad = try ServerEnvironment.forTests("/relative", name: "bad")
        #expect {
            try service.switchEnvironment(to: bad)
        } throws: {
            ($0 as? DataRequestError)?.code == .invalidConfiguration
        }
        #expect(service.environment.name == "one")
        #expect(transports.byName.withLock { $0["bad"] } == nil)
    }
}
#endif
