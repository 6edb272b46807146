import Foundation
import SkiathosLocks
import Synchronization
import TestSupport
import Testing

@Suite(.generousTimeLimit) struct LatchTests {
    private struct Refused: Error {}

    @Test func `callbacks are called in their order, and at once when the latch is open`() {
        let latch = Latch()
        let called = Lock<[Int]>([])
        for number in 1...3 { latch.whenOpen { called.withLock { $0.append(number) } } }
        #expect(called.withLock { $0 } == [])
        latch.open()
        #expect(called.withLock { $0 } == [1, 2, 3])
        latch.whenOpen { called.withLock { $0.append(4) } }
        latch.open()
        #expect(called.withLock { $0 } == [1, 2, 3, 4])
    }

    @Test func `a callback that was forgotten is not called`() {
        let latch = Latch()
        let called = Lock<[Int]>([])
        let first = latch.whenOpen { called.withLock { $0.append(1) } }
        latch.whenOpen { called.withLock { $0.append(2) } }
        latch.forget(first)
        latch.open()
        #expect(called.withLock { $0 } == [2])
    }

    @Test func `a cancelled task stops waiting, and others continue to wait`() async throws {
        let latch = Latch()
        let cancelled = Task { try await latch.wait() }
        let patient = Task { await latch.waitToTheEnd() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        patient.cancel()
        latch.open()
        await patient.value
        try await latch.wait()
    }

    @Test func `a promise keeps its first outcome`() async throws {
        let promise = Promise<Int, Refused>()
        let seen = Lock<[Int]>([])
        promise.whenComplete { outcome in
            if case .success(let value) = outcome { seen.withLock { $0.append(value) } }
        }
        #expect(promise.current == nil)
        #expect(promise.complete(.success(1)))
        #expect(!promise.complete(.success(2)))
        #expect(seen.withLock { $0 } == [1])
        #expect(try promise.wait() == 1)
        #expect(try await promise.value() == 1)
        #expect(try await promise.outcome().get() == 1)
    }

    @Test func `a failed promise throws its failure to threads and tasks that wait`() async {
        let promise = Promise<Int, Refused>()
        let task = Task { try await promise.value() }
        let blocked = Promise<Bool, Refused>()
        Thread.detachNewThread {
            let outcome = Result { try promise.wait() }
            if case .failure = outcome { blocked.complete(.success(true)) }
        }
        promise.complete(.failure(Refused()))
        await #expect(throws: Refused.self) { try await task.value }
        #expect((try? await blocked.outcome().get()) == true)
    }
}
