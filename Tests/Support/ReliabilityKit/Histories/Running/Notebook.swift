import Locks
import SkiathosStore
import Synchronization

/// What the closure of an operation has seen and done, whatever becomes of the call.
final class Notebook: Sendable {
    struct Page: Sendable {
        var runs = 0
        var accesses: [HistoryAccess] = []
        /// The last place among the writes before this operation.
        var seenPlace: Int?
    }

    private let content = Lock(Page())

    var page: Page { content.withLock { $0 } }

    /// Notes one run of the closure.
    func note(_ page: Page) {
        content.withLock {
            $0.runs += 1
            $0.accesses = page.accesses
            $0.seenPlace = page.seenPlace
        }
    }
}
