import Dispatch
import SkiathosLocks
import SkiathosPlatformLibC
import Synchronization

/// What the closure of an operation has seen and done, whatever becomes of the call.
final class Notebook: Sendable {
    struct Page: Sendable {
        var runs = 0
        var accesses: [HistoryAccess] = []
        /// The last place among the writes before this operation.
        var seenPlace: Int?
    }

    private struct Ending {
        /// Whether the last step of the closure has begun.
        var hasBegun = false
        /// What is called at the end of the closure.
        var body: (@Sendable () -> Void)?
    }

    /// Of how many steps of some nanoseconds the longest delay after the end of a closure consists.
    private static let pauses = 512

    private let content = Lock(Page())
    private let ending = Lock(Ending())
    /// How often the closure has run.
    private let runs = Atomic(0)

    var page: Page { content.withLock { $0 } }

    /// Notes one run of the closure.
    func note(_ page: Page) {
        content.withLock {
            $0.runs += 1
            $0.accesses = page.accesses
            $0.seenPlace = page.seenPlace
        }
        runs.add(1, ordering: .releasing)
    }

    /// Calls a closure once on another thread, within microseconds after the end of that of the
    /// operation.
    func afterEnd(_ body: @escaping @Sendable () -> Void) {
        let hasBegun = ending.withLock {
            $0.body = body
            return $0.hasBegun
        }
        if hasBegun { callAfterEnd(body) }
    }

    /// Notes that the last step of the closure begins.
    func willEnd() {
        let body = ending.withLock {
            $0.hasBegun = true
            return $0.body
        }
        if let body { callAfterEnd(body) }
    }

    private func callAfterEnd(_ body: @escaping @Sendable () -> Void) {
        // The thread is awake when the closure ends: waking it takes longer than what follows there.
        DispatchQueue.global().async { [self] in
            while runs.load(ordering: .acquiring) == 0 { _ = sched_yield() }
            for _ in 0..<Int.random(in: 0..<Self.pauses) { _ = runs.load(ordering: .acquiring) }
            body()
        }
    }
}
