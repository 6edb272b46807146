#if RequestCore
import HTTPTypes
import SkiathosLocks
import SkiathosPlatformFoundation
import Synchronization
import TestClocks
import Testing
import TestSupport

@testable import DataRequestCore

struct StressTests {
    /// Answers, fails, breaks off and dawdles at random, and counts what it is busy with.
    private final class Moody: HTTPTransport {
        let busy = Lock(0)
        private let numbers: Lock<SeededNumbers>

        init(seed: UInt64) { numbers = Lock(SeededNumbers(seed: seed)) }

        func number(below limit: Int) -> Int {
            numbers.withLock { Int.random(in: 0..<limit, using: &$0) }
        }

        func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
            busy.withLock { $0 += 1 }
            defer { busy.withLock { $0 -= 1 } }
            for _ in 0..<number(below: 8) { await Task.yield() }
            switch number(below: 10) {
            case 0: throw DataRequestError(.connectionFailed, "refused", retry: .later)
            case 1: throw DataRequestError(.connectionLost, "lost", retry: .later)
            case 2: return .answer(request, .serviceUnavailable)
            case 3: return .answer(request, .unauthorized)
            case 4: return .answer(request, .found, headers: [.location: "elsewhere"])
            case 5:
                return IncomingResponse(url: request.url, status: .ok, body: ByteStream(Broken()))
            case 6:
                return IncomingResponse(url: request.url, status: .ok, body: ByteStream(Unending()))
            default: return .answer(request, .ok, String(repeating: "x", count: 1_000))
            }
        }

        func shutDown() async throws {}
    }

    private final class Completions: Sendable {
        let counts = Lock(Array(repeating: 0, count: 1_000))
    }

    private struct Weak: Sendable {
        weak let service: DataRequestService?
        init(_ service: DataRequestService) { self.service = service }
    }

    private func call(
        _ service: DataRequestService, _ number: Int, pauses: Int
    ) async throws {
        let token = RequestToken()
        var request = DataRequest(number.isMultiple(of: 3) ? .post : .get, "a\(number % 7)")
            .cancelled(by: token)
        if number.isMultiple(of: 5) {
            request = request.timeLimits(
                .init(response: .seconds(5), idle: .seconds(5), total: .seconds(7)))
        }
        if number.isMultiple(of: 4) {
            for _ in 0..<pauses { await Task.yield() }
            if number.isMultiple(of: 8) { Task { token.cancel() } }
        }
        if number.isMultiple(of: 2) {
            let response = try await service.response(for: request)
            var pieces = 0
            for try await _ in response.body {
                pieces += 1
                if pieces == 20 { break }
            }
        } else {
            _ = try await service.perform(request) { response in
                var pieces = 0
                for try await _ in response.body {
                    pieces += 1
                    if pieces == 20 { break }
                }
                return pieces
            }
        }
    }

    @Test(.seeded, .generousTimeLimit, arguments: [false, true])
    func `a thousand calls complete exactly once each`(
        isShutDown: Bool
    )
        async throws
    {
        let clock = TestClock()
        let moody = Moody(seed: Seed.current)
        let completions = Completions()
        let leaked: Weak
        do {
            let service = try DataRequestService.forTests(moody, clock: clock) {
                $0.circuitBreaker = CircuitBreakerPolicy(failures: 40, coolDown: .milliseconds(5))
            }
            leaked = Weak(service)
            service.authorisation = BearerAuthoriser(token: "a") { _ in "b" }
            let driver = Task {
                while !Task.isCancelled {
                    clock.advance(by: .milliseconds(200))
                    await Task.yield()
                }
            }
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<1_000 {
                    let pauses = moody.number(below: 5)
                    group.addTask {
                        if number.isMultiple(of: 11) {
                            await withContinuation { continuation in
                                let token = service.start {
                                    try await self.call($0, number, pauses: pauses)
                                } completion: { _ in
                                    completions.counts.withLock { $0[number] += 1 }
                                    continuation.resume()
                                }
                                if number.isMultiple(of: 22) { token.cancel() }
                            }
                            return
                        }
                        let work = Task { try await self.call(service, number, pauses: pauses) }
                        if number.isMultiple(of: 6) { work.cancel() }
                        _ = await work.result
                        completions.counts.withLock { $0[number] += 1 }
                    }
                    if number % 250 == 100 {
                        let other = try? ServerEnvironment.forTests("https://e\(number).example/v1")
                        if let other {
                            try? service.switchEnvironment(
                                to: other, inFlight: number > 500 ? .cancel : .finish)
                        }
                    }
                    if isShutDown, number == 800 {
                        group.addTask { await service.shutDown(deadline: .milliseconds(400)) }
                    }
                }
            }
            await service.shutDown(deadline: .seconds(1))
            while !service.inFlight.isEmpty { await Task.yield() }
            driver.cancel()
            await driver.value
        }
        #expect(completions.counts.withLock { $0 } == Array(repeating: 1, count: 1_000))
        #expect(moody.busy.withLock { $0 } == 0)
        // The tasks that used the service end when they get a thread.
        #expect(await happens { leaked.service == nil })
    }

    @Test(.seeded) func `a heap returns deadlines in order, whatever is removed`() {
        var numbers = SeededNumbers(seed: Seed.current)
        for _ in 0..<200 {
            var heap = DeadlineHeap<Int>()
            var model: [Int: Duration?] = [:]
            var slots: [Int: Int] = [:]
            for step in 0..<60 {
                switch Int.random(in: 0..<4, using: &numbers) {
                case 0, 1:
                    let time: Duration? =
                        Bool.random(using: &numbers)
                        ? .seconds(.random(in: 0..<20, using: &numbers)) : nil
                    _ = heap.insert(at: time) { slot in
                        slots[step] = slot
                        return step
                    }
                    model[step] = time
                case 2:
                    // Sorted, since dictionaries have an order of their own in each process.
                    guard let key = model.keys.sorted().randomElement(using: &numbers),
                        let slot = slots[key]
                    else { break }
                    heap.remove(slot: slot)
                    model[key] = nil
                default:
                    guard let first = heap.due(at: .seconds(100)) else { break }
                    let time: Duration? =
                        Bool.random(using: &numbers)
                        ? .seconds(.random(in: 0..<30, using: &numbers)) : nil
                    heap.postponeFirst(to: time)
                    model.updateValue(time, forKey: first)
                }
                #expect(heap.count == model.count)
                #expect(heap.earliest == model.values.compactMap { $0 }.min())
            }
        }
    }
}
#endif
