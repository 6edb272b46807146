#if RequestCore
import HTTPTypes
import SkiathosLocks
import Synchronization
import TestClocks
import Testing

@testable import DataRequestCore

struct CircuitBreakerTests {
    @Test func `failures in a row open the circuit, one call probes, and success closes it`() {
        var breaker = CircuitBreaker(.init(failures: 2, coolDown: .seconds(10)))
        breaker.record(.failure, at: .zero)
        breaker.record(.success, at: .zero)
        breaker.record(.failure, at: .zero)
        #expect(breaker.admit(at: .zero) == nil)
        breaker.record(.failure, at: .seconds(1))
        #expect(breaker.admit(at: .seconds(4)) == .seconds(7))
        #expect(breaker.admit(at: .seconds(11)) == nil)
        #expect(breaker.admit(at: .seconds(11)) == .seconds(10))
        breaker.record(.failure, at: .seconds(12))
        #expect(breaker.admit(at: .seconds(12)) == .seconds(10))
        #expect(breaker.admit(at: .seconds(22)) == nil)
        breaker.record(.unknown, at: .seconds(22))
        #expect(breaker.admit(at: .seconds(22)) == nil)
        breaker.record(.success, at: .seconds(23))
        #expect(breaker.isPristine)
    }

    @Test func `a probe that never ends does not keep the circuit open for ever`() {
        var breaker = CircuitBreaker(.init(failures: 1, coolDown: .seconds(10)))
        breaker.record(.failure, at: .zero)
        #expect(breaker.admit(at: .seconds(10)) == nil)
        #expect(breaker.admit(at: .seconds(15)) == .seconds(5))
        #expect(breaker.admit(at: .seconds(20)) == nil)
    }

    @Test func `calls to a host that fails are refused until the cool-down is over`() async throws {
        let clock = TestClock()
        let isDown = Lock(true)
        let transport = ScriptedTransport { request, _ in
            if isDown.withLock({ $0 }) { return .answer(request, .internalServerError) }
            return .answer(request, .notFound)
        }
        let service = try DataRequestService.forTests(transport, clock: clock) {
            $0.circuitBreaker = CircuitBreakerPolicy(failures: 3, coolDown: .seconds(10))
        }
        var codes: [DataRequestError.Code?] = []
        for _ in 0..<5 {
            codes.append(
                await failure { _ = try await service.response(for: .init(.get, "a")) }?.code)
        }
        #expect(
            codes == [
                .unexpectedStatus, .unexpectedStatus, .unexpectedStatus, .circuitOpen, .circuitOpen,
            ])
        let error = await failure { _ = try await service.response(for: .init(.get, "a")) }
        #expect(error?.retry == .after(.seconds(10)))
        isDown.withLock { $0 = false }
        clock.advance(by: .seconds(10))
        for _ in 0..<5 {
            let code = await failure { _ = try await service.response(for: .init(.get, "a")) }?.code
            #expect(code == .unexpectedStatus)
        }
        #expect(transport.requests.count == 8)
    }
}
#endif
