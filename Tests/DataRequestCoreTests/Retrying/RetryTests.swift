#if RequestCore
import HTTPTypes
import SkiathosLocks
import SkiathosPlatformFoundation
import Synchronization
import TestClocks
import Testing
import TestSupport

@testable import DataRequestCore

struct RetryTests {
    private func attempts(
        _ request: DataRequest, random: Double = 0, failing: ScriptedTransport.Script? = nil,
        status: HTTPResponse.Status = .serviceUnavailable
    ) async throws -> Int {
        let transport = ScriptedTransport { request, number in
            if let failing { return try await failing(request, number) }
            return .answer(request, status)
        }
        let service = try DataRequestService.forTests(transport) { $0.random = { random } }
        _ = try? await service.response(for: request)
        return transport.requests.count
    }

    @Test func `idempotent methods are retried, others only with a key`() async throws {
        for method in [HTTPRequest.Method.get, .head, .put, .delete, .options] {
            let count = try await attempts(DataRequest(method, "a"))
            #expect(count == 3, "\(method)")
        }
        for method in [HTTPRequest.Method.post, .patch] {
            let count = try await attempts(DataRequest(method, "a"))
            #expect(count == 1, "\(method)")
            let keyed = try await attempts(DataRequest(method, "a").idempotencyKey("k"))
            #expect(keyed == 3, "\(method)")
        }
        let never = try await attempts(DataRequest(.get, "a").retrying(.never))
        #expect(never == 1)
        let once = DataRequest(.put, "a").body(.stream(ByteStream(Data([1]))))
        let stream = try await attempts(once)
        #expect(stream == 1)
    }

    @Test(arguments: [
        (200, 1), (400, 1), (401, 1), (404, 1), (408, 3), (429, 3), (500, 1), (503, 3),
    ])
    func `temporary statuses are retried`(status: Int, expected: Int) async throws {
        let count = try await attempts(DataRequest(.get, "a"), status: .init(code: status))
        #expect(count == expected)
    }

    @Test func `a failed connection is retried whatever the method`() async throws {
        let failed = try await attempts(
            DataRequest(.post, "a"),
            failing: { _, _ in throw DataRequestError(.connectionFailed, "no", retry: .later) })
        #expect(failed == 3)
        let lost = try await attempts(
            DataRequest(.post, "a"),
            failing: { _, _ in throw DataRequestError(.connectionLost, "no", retry: .later) })
        #expect(lost == 1)
    }

    @Test func `waits grow, and a server's time is their lower bound`() async throws {
        let clock = TestClock()
        let transport = ScriptedTransport { request, number in
            switch number {
            case 0, 1: return .answer(request, .badGateway)
            case 2: return .answer(request, .tooManyRequests, headers: [.retryAfter: "7"])
            default: return .answer(request)
            }
        }
        let service = try DataRequestService.forTests(transport, clock: clock) {
            $0.random = { 0.5 }
            $0.retry = RetryPolicy(maximumAttempts: 5)
        }
        let limits = RequestOptions.TimeLimits(response: nil, idle: nil)
        let call = Task {
            try await service.response(for: DataRequest(.get, "a").timeLimits(limits))
        }
        for wait in [Duration.milliseconds(50), .milliseconds(100), .milliseconds(7_200)] {
            await clock.waitForSleep(atMost: wait)
            clock.advance(by: wait)
        }
        let response = try await call.value
        #expect(response.status == .ok)
        #expect(clock.waits == [.milliseconds(50), .milliseconds(100), .milliseconds(7_200)])
    }

    @Test func `a wait that cannot end before the total limit is not begun`() async throws {
        let clock = TestClock()
        let service = try DataRequestService.forTests(
            ScriptedTransport(.serviceUnavailable, headers: [.retryAfter: "30"]), clock: clock)
        let error = await failure {
            _ = try await service.response(
                for: DataRequest(.get, "a").timeLimits(
                    .init(response: nil, idle: nil, total: .seconds(30))))
        }
        #expect(error?.code == .unexpectedStatus)
        #expect(!clock.waits.contains { $0 < .seconds(30) })
    }

    @Test func `a call that waits can be cancelled`() async throws {
        let clock = TestClock()
        let service = try DataRequestService.forTests(
            ScriptedTransport(.serviceUnavailable), clock: clock
        ) { $0.random = { 0.9 } }
        let call = Task { try await service.response(for: DataRequest(.get, "a")) }
        await clock.waitForSleep(atMost: .milliseconds(100))
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        await service.shutDown()
        #expect(service.inFlight.isEmpty)
    }

    @Test func `an answer that breaks off is requested again as a whole`() async throws {
        let transport = ScriptedTransport { request, number in
            guard number == 0 else { return .answer(request, .ok, "whole") }
            return IncomingResponse(url: request.url, status: .ok, body: ByteStream(Broken()))
        }
        let service = try DataRequestService.forTests(transport) { $0.random = { 0 } }
        let text = try await service.perform(DataRequest(.get, "a")) { try await $0.text() }
        #expect(text == "whole")
        #expect(transport.requests.count == 2)
        let posted = try DataRequestService.forTests(
            ScriptedTransport { request, _ in
                IncomingResponse(url: request.url, status: .ok, body: ByteStream(Broken()))
            })
        let error = await failure {
            _ = try await posted.perform(DataRequest(.post, "a")) { try await $0.text() }
        }
        #expect(error?.code == .connectionLost)
    }

    @Test(.seeded) func `delays stay within their bounds`() {
        var numbers = SeededNumbers(seed: Seed.current)
        for _ in 0..<2_000 {
            let policy = RetryPolicy(
                maximumAttempts: .random(in: -1...12, using: &numbers),
                baseDelay: .milliseconds(.random(in: 0...900, using: &numbers)),
                factor: [.nan, .infinity, -1, 0, 1, 1.5, 7].randomElement(using: &numbers) ?? 2,
                maximumDelay: .milliseconds(.random(in: 0...9_000, using: &numbers)),
                maximumRetryAfter: .seconds(.random(in: 0...50, using: &numbers)),
                maximumWait: .seconds(.random(in: 0...60, using: &numbers)))
            let random = Double.random(in: -1...2, using: &numbers)
            let retrying = Retrying(policy: policy, random: { random })
            let progress = AttemptProgress(
                attempts: .random(in: 1...14, using: &numbers),
                waited: .seconds(.random(in: 0...70, using: &numbers)))
            let asked: Duration? =
                Bool.random(using: &numbers)
                ? .seconds(.random(in: 0...60, using: &numbers)) : nil
            let left: Duration? =
                Bool.random(using: &numbers)
                ? .seconds(.random(in: -1...60, using: &numbers)) : nil
            let delay = retrying.delay(after: asked, progress: progress, left: left)
            guard let delay else { continue }
            #expect(progress.attempts < policy.maximumAttempts)
            #expect(delay >= asked ?? .zero)
            #expect(delay - (asked ?? .zero) <= policy.maximumDelay)
            #expect((asked ?? .zero) <= policy.maximumRetryAfter)
            #expect(progress.waited + delay <= policy.maximumWait)
            #expect(left.map { delay < $0 } ?? true)
        }
    }

    @Test(
        arguments: [
            ("120", 120), ("0", 0), ("99999999999999999999", 999_999_999),
            ("Thu, 01 Jan 1970 00:02:00 GMT", 120), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thursday, 01-Jan-70 00:02:00 GMT", 120), ("Thu Jan  1 00:02:00 1970", 120),
            ("Friday, 02-Jan-70 00:00:00 GMT", 86_400), ("Fri Jan 12 00:00:00 1970", 950_400),
            // Two digits mean the past where they would lie more than fifty years ahead.
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sunday, 01-Jan-21 00:00:00 GMT", 0),
            ("Thursday, 01-Jan-70 00:02:00 CET", nil), ("Thu Jan 1 00:02 1970", nil),
            ("Thu, 01 Jan 1970 +0:02:00 GMT", nil), ("Thu,\u{301} 01 Jan 1970 00:02:00 GMT", nil),
            ("-5", nil), ("soon", nil), ("", nil), ("1.5", nil),
            ("Thu, 99 Jan 1970 00:02:00 GMT", nil),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ] as [(String, Int?)])
    func `the time to wait is read in seconds and in all forms of dates`(
        value: String, seconds: Int?
    ) {
        let duration = RetryAfter.duration(value, now: Date(timeIntervalSince1970: 0))
        #expect(duration == seconds.map { .seconds($0) })
    }
}

/// Ends with a lost connection after a piece.
struct Broken: AsyncSequence, Sendable {
    typealias Element = Data
    struct AsyncIterator: AsyncIteratorProtocol {
        var count = 0
        mutating func next() async throws -> Data? {
            count += 1
            guard count > 1 else { return Data("ha".utf8) }
            throw DataRequestError(.connectionLost, "The connection ended.", retry: .later)
        }
    }
    func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}
#endif
