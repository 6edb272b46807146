import SkiathosStore

extension RootWriter {
    /// Runs a closure as a unit of work in a transaction of its own; the caller has the permit.
    ///
    /// The closure decides whether it is committed or rolled back, before the permit is
    /// released.
    ///
    /// An error that rolls back the whole transaction, such as a full disk, cannot roll back
    /// the writes of others. A unit that is rolled back was never merged: no read, observer,
    /// cache or waiting write has seen it.
    func runExclusive(
        _ interruption: Interruption?, _ level: Acknowledgement,
        _ body: (WriteContext) throws -> Ending
    ) throws -> PendingAcknowledgement {
        // The commit is never left to other writes.
        try requireWritable(max(level, .committed))
        return try withContext(interruption, isMerged: false) { context in
            switch try body(context) {
            case .rollback:
                // The closure has done its work; cancelling comes too late.
                try? interruption?.settle()
                commits.rollbackExclusive()
                return PendingAcknowledgement()
            case .commit(let then):
                let isCommitted = try commit(context)
                then()
                guard isCommitted, level.awaitsSync else { return PendingAcknowledgement() }
                return .sync(of: commits)
            }
        }
    }

    /// Commits what a unit of work has changed; returns whether it has changed anything.
    private func commit(_ context: WriteContext) throws -> Bool {
        var commit: Result<Void, any Error>?
        let isMerged = try context.finish { session in
            // Committed at once, so that no write waits for it: the commit is left to none that is
            // queued, and no wake-up is asked for.
            _ = commits.merge(
                &context.journal, context.transaction.ids, CommitWaiter(), needsSync: false,
                isCrowded: false, delay: .never)
            commit = commits.commitBatch(session)
        }
        try commit?.get()
        if !isMerged { try commitObservedWrites(context) }
        return isMerged
    }

    /// How an exclusive write ends.
    enum Ending {
        /// Everything is rolled back.
        case rollback
        /// Everything is committed.
        ///
        /// Then the closure is called while the permit is still held.
        case commit(then: () -> Void)
    }
}
