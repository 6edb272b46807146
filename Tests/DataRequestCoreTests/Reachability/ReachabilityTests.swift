#if RequestCore
import HTTPTypes
import SkiathosLocks
import Synchronization
import TestClocks
import Testing

@testable import DataRequestCore

struct ReachabilityTests {
    @Test func `outcomes make a host reachable and unreachable`() async throws {
        let isDown = Lock(false)
        let service = try DataRequestService.forTests(
            ScriptedTransport { request, _ in
                guard isDown.withLock({ $0 }) else { return .answer(request, .notFound) }
                throw DataRequestError(.connectionFailed, "refused", retry: .later)
            }
        ) { $0.retry = .never }
        var changes = service.reachabilityChanges.makeAsyncIterator()
        let first = await changes.next()
        #expect(first == .unknown)
        _ = try? await service.response(for: DataRequest(.get, "a"))
        let second = await changes.next()
        #expect(second?.isReachable == true)
        isDown.withLock { $0 = true }
        _ = try? await service.response(for: DataRequest(.get, "a"))
        #expect(service.reachability.isReachable)
        _ = try? await service.response(for: DataRequest(.get, "a"))
        let third = await changes.next()
        guard case .unreachable(_, .connectionFailed) = third else {
            Issue.record("The host is \(String(describing: third)).")
            return
        }
        try service.switchEnvironment(to: .forTests("https://two.example"))
        #expect(service.reachability == .unknown)
        await service.shutDown()
    }

    @Test func `probes with growing waits detect that a host is back`() async throws {
        let clock = TestClock()
        let transport = ScriptedTransport { request, number in
            if number >= 3 { return .answer(request, .noContent) }
            throw DataRequestError(.connectionFailed, "refused", retry: .later)
        }
        let service = try DataRequestService.forTests(transport, clock: clock) {
            $0.retry = .never
            $0.reachability = ReachabilityPolicy(failures: 1, probePath: "health")
        }
        var changes = service.reachabilityChanges.makeAsyncIterator()
        _ = try? await service.response(for: DataRequest(.get, "a"))
        for wait in [Duration.seconds(1), .seconds(2), .seconds(4)] {
            await clock.waitForSleep { $0 == wait }
            clock.advance(by: wait)
        }
        while let next = await changes.next(), !next.isReachable {}
        #expect(service.reachability.isReachable)
        #expect(transport.requests.dropFirst().allSatisfy { $0.method == .head })
        await service.shutDown()
    }

    @Test func `exchanges with external hosts do not change the reachability of the base host`()
        async throws
    {
        let service = try DataRequestService.forTests(ScriptedTransport())
        let url = try ServerEnvironment.forTests("https://other.example/").baseURL
        _ = try await service.response(for: DataRequest(.get, external: url))
        #expect(service.reachability == .unknown)
    }
}
#endif
