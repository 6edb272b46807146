import Locks
import SkiathosStore

extension RootWriter {
    /// Runs a closure as a unit of work that is undone, unless it says that it shall be kept; then
    /// it is committed before the turn ends.
    ///
    /// It has a transaction of its own, so that an error which undoes the whole transaction, such as
    /// a full disk, cannot take the writes of others along. What is undone was never merged: no read,
    /// observer, cache or waiting write has heard of it.
    ///
    /// - Returns: Whether anything was committed.
    func runExclusive(
        _ interruption: Interruption?, _ body: (WriteContext) throws -> Ending
    ) throws -> Bool {
        try requireWritable(.committed)
        return try withContext(interruption) { context in
            switch try body(context) {
            case .rollback:
                // The closure has done its work; cancelling comes too late to make a difference.
                try? interruption?.settle()
                rollbackExclusive()
                return false
            case .commit(let then):
                let isMerged = try commit(context)
                then()
                return isMerged
            }
        }
    }

    private func commit(_ context: WriteContext) throws -> Bool {
        var commit: Result<Void, any Error>?
        let isMerged = try context.finish { session in
            // Committed at once, so that no write waits for it.
            _ = record(context, CommitWaiter(), needsSync: false, othersWait: false, .never)
            commit = commitBatch(session)
        }
        try commit?.get()
        if !isMerged { try commitObservedWrites(context) }
        return isMerged
    }

    /// What becomes of an attempt.
    enum Ending {
        /// Everything is undone.
        case rollback
        /// It is committed, and then the closure is called while the turn is still held.
        case commit(then: () -> Void)
    }
}
