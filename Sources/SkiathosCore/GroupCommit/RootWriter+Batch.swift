import Locks
import SkiathosStore
import Synchronization

/// What is done while the connection is held.
extension RootWriter {
    /// Commits the batch and tells all who wait for that; `nil` if there is none.
    ///
    /// Like ``commitWithoutResuming(_:callerSyncs:isCheckpointing:)``, for those who have little to give on.
    @discardableResult
    func commitBatch(
        _ session: any StoreWriteSession, callerSyncs: Bool = false, isCheckpointing: Bool = false
    ) -> Result<Void, any Error>? {
        let result = commitWithoutResuming(
            session, callerSyncs: callerSyncs, isCheckpointing: isCheckpointing)
        guard let result else { return nil }
        return result.map { committed in
            for waiter in committed { waiter.acknowledge(.success(())) }
        }
    }

    /// Commits the batch; `nil` if there is none.
    ///
    /// On success the caller has to tell those who wait for the commit. They come back with their
    /// next writes at once, so it is best done when they do not find the turn taken by the caller.
    ///
    /// - Parameters:
    ///   - callerSyncs: Whether the caller will call ``syncAwaited()``; otherwise those who wait
    ///     for a sync get theirs in the background, whoever has made the commit.
    ///   - isCheckpointing: Whether the caller makes a checkpoint.
    func commitWithoutResuming(
        _ session: any StoreWriteSession, callerSyncs: Bool = false, isCheckpointing: Bool = false
    ) -> Result<[CommitWaiter], any Error>? {
        guard let batch = state.withLock({ $0.takeBatch() }) else { return nil }
        do {
            try commit(session)
        } catch {
            fail(batch, error, session)
            // On a full disk it may make room.
            if !isCheckpointing, (error as? StoreError)?.code == .diskFull {
                checkpointIfDue(session)
            }
            return .failure(error)
        }
        allocator.withLock { $0.commit() }
        let inLine = queuedWrites
        state.withLock { $0.committed(batch, inLine: inLine) }
        metrics?.committed(batch.count)
        // Before anybody returns: whoever listens knows of the change by then.
        changes.committed()
        if !callerSyncs, !batch.awaitingSync.isEmpty { syncInBackground() }
        if !isCheckpointing { checkpointIfDue(session) }
        return .success(batch.awaitingCommit)
    }

    /// Commits the batch if a read may have to see it.
    func commitAcknowledgedWrites(_ session: any StoreWriteSession) {
        if state.withLock({ $0.hasReturnedWrites }) { commitBatch(session) }
    }

    /// Makes sure that what a write without changes may have seen is committed, since its caller
    /// relies on that.
    func commitObservedWrites(_ context: WriteContext) throws {
        if state.withLock({ $0.hasBatch || $0.isCommitting }) {
            try store.writer.withSession { session in _ = commitBatch(session) }
        }
        try context.transaction.requireSameVersion()
    }

    /// Gives the transaction to the write that has the turn, since it has to change rows before it
    /// is finished; returns the limits of IDs that the store holds.
    func beginExclusive(_ session: any StoreWriteSession) throws -> [Int64] {
        commitBatch(session)
        try begin(session)
        state.withLock { $0.beginExclusive() }
        return allocator.withLock { $0.limits }
    }

    /// Applies changes to the batch: all of them, or none if it throws.
    func applyToBatch(
        _ session: any StoreWriteSession, _ apply: () throws -> Void
    ) throws {
        // The first of a batch needs no savepoint: there is nothing to keep if it fails.
        let isFirst = !session.isInTransaction
        if isFirst { try begin(session) }
        do {
            if !isFirst { try session.openSavepoint() }
            try apply()
            if !isFirst { try session.releaseSavepoint() }
        } catch {
            if isFirst { rollback(session) } else { undoApplication(error, session) }
            throw error
        }
    }

    func begin(_ session: any StoreWriteSession) throws {
        do {
            try session.begin()
        } catch let error as StoreError where error.code == .interference {
            state.withLock { _ = $0.fail(error) }
            throw error
        }
    }

    /// Undoes what the write that has the turn did in its own transaction, if it has one.
    func undoExclusive() {
        guard state.withLock({ $0.isExclusive }) else { return }
        do {
            try store.writer.withSession { session in
                rollback(session)
                state.withLock { $0.endExclusive() }
            }
        } catch {
            reportFailure(BackgroundFailure(operation: .rollback, error: error))
        }
    }

    func rollback(_ session: any StoreWriteSession) {
        do {
            try session.rollback()
        } catch {
            reportFailure(BackgroundFailure(operation: .rollback, error: error))
        }
    }

    private func undoApplication(_ error: any Error, _ session: any StoreWriteSession) {
        if session.isInTransaction {
            do {
                return try session.rollbackSavepoint()
            } catch {
                // The batch cannot be told from the failed changes any more.
            }
        }
        // The store has undone everything, the writes that were merged before included.
        if let batch = state.withLock({ $0.takeBatch() }) { fail(batch, error, session) }
    }

    /// Commits, past interruptions that were meant for a query of the write that has the turn.
    ///
    /// - Parameter evictions: What the transaction has changed beside the writes that were merged.
    func commit(_ session: any StoreWriteSession, changing evictions: Evictions? = nil) throws {
        let before = session.committedVersion
        if let evictions { caches?.merged(evictions) }
        while true {
            do {
                try session.commit()
                caches?.committed(from: before, to: session.committedVersion)
                return
            } catch let error as StoreError
                where error.code == .interrupted && session.isInTransaction
            {
                continue
            } catch let error as StoreError where error.endsDurability {
                // The commit has met files that were touched, or a failed sync of the WAL's header.
                filesFailed(error)
                throw error
            }
        }
    }

    /// Tells everybody whose write was in a batch that it is lost.
    private func fail(
        _ batch: CommitStateMachine<CommitWaiter>.Batch, _ error: any Error,
        _ session: any StoreWriteSession
    ) {
        rollback(session)
        allocator.withLock { $0.rollback() }
        metrics?.lost(batch.count)
        var error = error
        if var failure = error as? StoreError, failure.code == .inputOutput {
            // A part of the commit may be in the log, and come back when the store is opened.
            failure.outcome = .unknown
            error = failure
        }
        state.withLock { $0.lost(batch, error) }
        changes.lost()
        caches?.lost()
        for waiter in batch.awaitingCommit + batch.awaitingSync {
            waiter.acknowledge(.failure(error))
        }
        if batch.returned > 0 {
            reportFailure(BackgroundFailure(operation: .commit, error: error))
        }
    }
}
