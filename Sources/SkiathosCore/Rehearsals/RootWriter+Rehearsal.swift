import Locks
import SkiathosStore
import Synchronization

extension RootWriter {
    /// Runs a closure as a unit of work that is undone, unless it says that it shall be kept; then
    /// it is committed before the turn ends.
    ///
    /// It has a transaction of its own, so that an error which undoes the whole transaction, such as
    /// a full disk, cannot take the writes of others along. What is undone was never merged: no read,
    /// observer, cache or waiting write has heard of it.
    ///
    /// - Returns: Whether anything was committed.
    func attempt(
        _ interruption: Interruption?, _ body: (WriteContext) throws -> Ending
    ) throws -> Bool {
        try requireWritable(.committed)
        let context = WriteContext(
            root: self, sequences: ledger.withLock { $0.sequences }, interruption: interruption)
        defer {
            // IDs are final, whatever becomes of what they were handed out for.
            ledger.withLock { $0.keep(context.sequences) }
            context.end()
        }
        do {
            try interruption?.begin(store.writer)
            switch try body(context) {
            case .undone:
                // The closure has done its work; cancelling comes too late to make a difference.
                try? interruption?.settle()
                undoExclusive()
                return false
            case .committed(let then):
                let isMerged = try commit(context)
                then()
                return isMerged
            }
        } catch {
            undoExclusive()
            throw stop.cause(of: error, interruption)
        }
    }

    private func commit(_ context: WriteContext) throws -> Bool {
        var commit: Result<Void, any Error>?
        let isMerged = try context.finish { session in
            ledger.withLock { $0.merge(context.sequences) }
            // Committed at once, so nobody needs to be told of it.
            _ = state.withLock {
                $0.merge(CommitWaiter(), needsSync: false, othersWait: false, givingWay: .never)
            }
            changes.merged(context.record)
            caches?.merged(context.evictions)
            commit = commitBatch(session)
        }
        try commit?.get()
        if !isMerged { try commitSeen(context) }
        return isMerged
    }

    /// What becomes of an attempt.
    enum Ending {
        /// Everything is undone.
        case undone
        /// It is committed, and then the closure is called while the turn is still held.
        case committed(then: () -> Void)
    }
}
