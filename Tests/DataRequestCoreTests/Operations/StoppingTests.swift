#if RequestCore
import HTTPTypes
import SkiathosLocks
import Logging
import SkiathosPlatformFoundation
import Synchronization
import TestClocks
import Testing
import TestSupport

@testable import DataRequestCore

struct StoppingTests {
    @Test func `cancelling the task ends the call at once, even if the transport ignores it`()
        async throws
    {
        let gate = Gate()
        let service = try DataRequestService.forTests(
            ScriptedTransport { request, _ in
                await gate.pass()
                return .answer(request)
            })
        let call = Task { try await service.response(for: DataRequest(.get, "slow")) }
        await gate.arrivals(1)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(service.inFlight == ["GET https://api.example.com/v1/slow"])
        gate.open()
        await service.shutDown(deadline: .seconds(1))
        #expect(service.inFlight.isEmpty)
    }

    @Test func `a token cancels awaited calls, and later ones`() async throws {
        let gate = Gate()
        let service = try DataRequestService.forTests(
            ScriptedTransport { request, _ in
                try await gate.passOrCancel()
                return .answer(request)
            })
        let token = RequestToken()
        let request = DataRequest(.get, "slow").cancelled(by: token)
        let call = Task { try await service.response(for: request) }
        await gate.arrivals(1)
        token.cancel()
        let first = await failure { _ = try await call.value }
        #expect(first?.code == .cancelled)
        let second = await failure { _ = try await service.response(for: request) }
        #expect(second?.code == .cancelled)
    }

    @Test func `an answer that does not begin in time ends the call`() async throws {
        let clock = TestClock()
        let gate = Gate()
        let service = try DataRequestService.forTests(
            ScriptedTransport { request, _ in
                await gate.pass()
                return .answer(request)
            }, clock: clock)
        let call = Task {
            try await service.response(
                for: DataRequest(.get, "slow").query("token", "s3cret").timeLimits(
                    .init(response: .seconds(5), idle: .seconds(60))))
        }
        await gate.arrivals(1)
        await clock.waitForSleep(atMost: .seconds(5))
        clock.advance(by: .seconds(5))
        let error = await failure { _ = try await call.value }
        #expect(error?.code == .timedOut)
        #expect(error?.retry == .later)
        #expect(
            error?.message
                == "GET https://api.example.com/v1/slow: no answer began within 5.0 seconds. "
                + "Try again later, or raise timeLimits.response.")
        gate.open()
    }

    @Test func `pauses between pieces are limited one by one`() async throws {
        let clock = TestClock()
        let pieces = AsyncStream<Data>.makeStream()
        let service = try DataRequestService.forTests(
            ScriptedTransport { request, _ in
                IncomingResponse(
                    url: request.url, status: .ok, body: ByteStream(ThrowingPieces(pieces.stream)))
            }, clock: clock)
        let response = try await service.response(
            for: DataRequest(.get, "events").timeLimits(
                .init(response: .seconds(60), idle: .seconds(10))))
        var iterator = response.body.makeAsyncIterator()
        for second in 1...3 {
            clock.advance(by: .seconds(6))
            pieces.continuation.yield(Data([UInt8(second)]))
            let piece = try await iterator.next()
            #expect(piece == Data([UInt8(second)]))
        }
        // The keeper looks first at the earliest time at which a limit could have passed.
        while !service.inFlight.isEmpty {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
        do {
            _ = try await iterator.next()
            Issue.record("The body did not end.")
        } catch let error as DataRequestError {
            #expect(error.code == .timedOut)
        }
    }

    @Test(.generousTimeLimit)
    func `a short limit that begins while a long one would still run is kept`() async throws {
        let clock = TestClock()
        let head = Gate()
        let reading = Gate()
        let service = try DataRequestService.forTests(
            ScriptedTransport { request, _ in
                await head.pass()
                return IncomingResponse(
                    url: request.url, status: .ok, body: ByteStream(Hesitant(gate: reading)))
            }, clock: clock)
        let call = Task {
            try await service.response(
                for: DataRequest(.get, "a").timeLimits(
                    .init(response: .seconds(60), idle: .seconds(5))))
        }
        await head.arrivals(1)
        for _ in 0..<6 {
            await clock.waitForSleep(atMost: .seconds(5))
            clock.advance(by: .seconds(5))
        }
        head.open()
        let response = try await call.value
        let text = Task { await failure { _ = try await response.text() } }
        await reading.arrivals(1)
        await clock.waitForSleep(atMost: .seconds(5))
        clock.advance(by: .seconds(5))
        #expect(await text.value?.code == .timedOut)
        reading.open()
    }

    @Test func `the total limit holds over all parts`() async throws {
        let clock = TestClock()
        let gate = Gate()
        let service = try DataRequestService.forTests(
            ScriptedTransport { request, _ in
                try await gate.passOrCancel()
                return .answer(request)
            }, clock: clock)
        let call = Task {
            try await service.response(
                for: DataRequest(.get, "slow").timeLimits(
                    .init(response: nil, idle: nil, total: .seconds(3))))
        }
        await gate.arrivals(1)
        await clock.waitForSleep(atMost: .seconds(3))
        clock.advance(by: .seconds(3))
        let error = await failure { _ = try await call.value }
        #expect(error?.code == .timedOut)
        #expect(error?.message.contains("timeLimits.total") == true)
    }

    @Test func `a streamed upload is bound by pauses, and the answer by the end of the upload`()
        async throws
    {
        let clock = TestClock()
        let pieces = AsyncStream<Data>.makeStream()
        let taken = Gate()
        let answers = Gate()
        let service = try DataRequestService.forTests(
            ScriptedTransport { request, _ in
                if let stream = try await request.body.open() {
                    for try await _ in stream { await taken.pass() }
                }
                try await answers.passOrCancel()
                return .answer(request)
            }, clock: clock)
        taken.open()
        let body = RequestBody.stream(ByteStream(ThrowingPieces(pieces.stream)))
        let call = Task {
            try await service.response(
                for: DataRequest(.post, "a").body(body).timeLimits(
                    .init(response: .seconds(10), idle: .seconds(10))))
        }
        // Longer than either limit as a whole.
        for count in 1...4 {
            clock.advance(by: .seconds(6))
            pieces.continuation.yield(Data([1]))
            await taken.arrivals(count)
        }
        pieces.continuation.finish()
        await answers.arrivals(1)
        while !service.inFlight.isEmpty {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
        let error = await failure { _ = try await call.value }
        #expect(error?.message.contains("timeLimits.response") == true)
    }

    @Test func `no absurd limit traps`() async throws {
        let huge = Duration.seconds(Int64.max)
        let service = try DataRequestService.forTests(
            ScriptedTransport { request, _ in .answer(request) }, clock: ContinuousClock())
        let limits = RequestOptions.TimeLimits(response: huge, idle: huge, total: huge)
        let response = try await service.response(for: DataRequest(.get, "a").timeLimits(limits))
        #expect(response.status == .ok)
        let negative = RequestOptions.TimeLimits(response: .seconds(-1), total: .seconds(-1))
        _ = try? await service.response(for: DataRequest(.get, "a").timeLimits(negative))
        await service.shutDown()
    }

    @Test func `the next check of a call is later than the last, whatever its limits`() throws {
        let durations: [Duration?] = [
            nil, .seconds(-1), .zero, .nanoseconds(1), .seconds(1), .seconds(Int64.max),
        ]
        for response in durations {
            for idle in durations {
                for total in durations {
                    try expectLaterChecks(.init(response: response, idle: idle, total: total))
                }
            }
        }
    }

    /// Checks a call at its beginning, in each of its parts: a limit that is not above zero has
    /// stopped it, and otherwise the next check is due later.
    private func expectLaterChecks(_ limits: RequestOptions.TimeLimits) throws {
        let environment = try EnvironmentRuntime(
            .forTests("https://api.example.com"), transport: ScriptedTransport(),
            ownsTransport: false, logger: Logger(label: "test"))
        let clock = ServiceClock(TestClock())
        let parts: [(limit: Duration?, begin: (RequestOperation) -> Void)] = [
            (nil, { $0.start(nil) }), (limits.response, { $0.beginSending() }),
            (limits.idle, { $0.startIdleLimit() }),
        ]
        for part in parts {
            let operation = RequestOperation(
                DataRequest(.get, "a").timeLimits(limits), slot: 0, environment: environment,
                clock: clock, started: clock.now)
            part.begin(operation)
            let isOver = part.limit.map { $0 <= .zero } ?? false
            #expect((operation.stopReason != nil) == isOver, "\(limits)")
            let (passed, again) = operation.passedLimit(at: clock.now)
            let isLater = again.map { $0 > clock.now } ?? true
            #expect(passed != nil || isLater, "\(limits)")
        }
    }

    @Test(.generousTimeLimit)
    func `a limit that is not above zero passes when it starts, and stops nothing else`()
        async throws
    {
        for limit in [Duration.zero, .seconds(-1)] {
            let clock = TestClock()
            let gate = Gate()
            let service = try DataRequestService.forTests(
                ScriptedTransport { request, _ in
                    await gate.pass()
                    return .answer(request, .ok, "body")
                }, clock: clock)
            let request = DataRequest(.get, "a")
            let call = Task {
                await failure {
                    _ = try await service.data(
                        for: request.timeLimits(.init(response: .seconds(60), idle: limit)))
                }
            }
            await gate.arrivals(1)
            await clock.waitForSleep(until: .seconds(60))
            // A check that is due at once would be due for ever, with the lock of the service
            // held: this test ends before it would wait for that lock.
            try #require(clock.waits.allSatisfy { $0 > .zero })
            gate.open()
            let idle = await call.value
            #expect(idle?.code == .timedOut)
            #expect(idle?.message.contains("timeLimits.idle") == true)
            let late = await failure {
                _ = try await service.data(
                    for: request.timeLimits(.init(response: limit, idle: .seconds(60))))
            }
            #expect(late?.code == .timedOut)
            #expect(late?.message.contains("timeLimits.response") == true)
            let other = try await service.data(for: request)
            #expect(other == Data("body".utf8))
            await service.shutDown()
        }
    }

    @Test func `leaving the loop over a body ends the exchange`() async throws {
        let pieces = Unending()
        let service = try DataRequestService.forTests(
            ScriptedTransport { request, _ in
                IncomingResponse(url: request.url, status: .ok, body: ByteStream(pieces))
            })
        let response = try await service.response(for: DataRequest(.get, "events"))
        for try await _ in response.body { break }
        await pieces.ended.pass()
        #expect(pieces.count.withLock { $0 } == 1)
        await service.shutDown(deadline: .seconds(1))
    }

    @Test func `dropping an answer unread ends the exchange`() async throws {
        let released = Gate()
        let service = try DataRequestService.forTests(
            ScriptedTransport { request, _ in
                IncomingResponse(
                    url: request.url, status: .ok, body: ByteStream(Unending(released: released)))
            })
        _ = try await service.response(for: DataRequest(.get, "events"))
        await released.pass()
        while !service.inFlight.isEmpty { await Task.yield() }
    }

    @Test
    func `the callback form calls back once, on its queue, with success or the token's error`()
        async throws
    {
        let gate = Gate()
        let service = try DataRequestService.forTests(
            ScriptedTransport { request, number in
                if number == 1 { try await gate.passOrCancel() }
                return .answer(request, .ok, "hello")
            })
        let text: String = try await withThrowingContinuation { continuation in
            service.start {
                try await $0.response(for: DataRequest(.get, "a")).text()
            } completion: {
                continuation.resume(with: $0)
            }
        }
        #expect(text == "hello")
        let calls = Lock(0)
        let error: any Error = await withContinuation { continuation in
            let token = service.start(DataRequest(.get, "b")) { result in
                calls.withLock { $0 += 1 }
                if case .failure(let error) = result { continuation.resume(returning: error) }
            }
            Task {
                await gate.arrivals(1)
                token.cancel()
                token.cancel()
            }
        }
        #expect((error as? DataRequestError)?.code == .cancelled)
        await service.shutDown()
        #expect(calls.withLock { $0 } == 1)
    }
}

/// A stream without errors, as one that may have some.
struct ThrowingPieces: AsyncSequence, Sendable {
    typealias Element = Data
    let base: AsyncStream<Data>
    init(_ base: AsyncStream<Data>) { self.base = base }
    struct AsyncIterator: AsyncIteratorProtocol {
        var base: AsyncStream<Data>.AsyncIterator
        mutating func next() async throws -> Data? { await base.next() }
    }
    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: base.makeAsyncIterator()) }
}

/// Waits at a gate for its first piece.
struct Hesitant: AsyncSequence, Sendable {
    typealias Element = Data
    let gate: Gate
    struct AsyncIterator: AsyncIteratorProtocol {
        let gate: Gate
        mutating func next() async throws -> Data? {
            try await gate.passOrCancel()
            return nil
        }
    }
    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(gate: gate) }
}

/// Pieces without end, which tell when they are read no longer, and when they are released.
final class Unending: AsyncSequence, Sendable {
    typealias Element = Data
    let ended = Gate()
    let count = Lock(0)
    private let released: Gate?

    init(released: Gate? = nil) { self.released = released }

    deinit { released?.open() }

    final class Reading: Sendable {
        let ended: Gate
        init(_ ended: Gate) { self.ended = ended }
        deinit { ended.open() }
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        let pieces: Unending
        let reading: Reading
        mutating func next() async throws -> Data? {
            try Task.checkCancellation()
            return pieces.count.withLock { count in
                count += 1
                return Data(count: 10)
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pieces: self, reading: Reading(ended))
    }
}
#endif
