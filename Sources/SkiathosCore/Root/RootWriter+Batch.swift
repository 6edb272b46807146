import Locks
import SkiathosStore
import Synchronization

/// Committing and applying changes, while the connection is held.
extension RootWriter {
    /// Commits the open batch and resumes its waiters; `nil` if there is none.
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

    /// Commits the open batch; `nil` if there is none.
    ///
    /// On success the caller has to resume the waiters that this returns. They come back with their
    /// next writes at once, so it does so after it has released the permit.
    ///
    /// - Parameters:
    ///   - callerSyncs: Whether the caller will call ``syncAwaited()``; otherwise waiters for a sync
    ///     get theirs in the background.
    ///   - isCheckpointing: Whether the caller makes a checkpoint.
    func commitWithoutResuming(
        _ session: any StoreWriteSession, callerSyncs: Bool = false, isCheckpointing: Bool = false
    ) -> Result<[CommitWaiter], any Error>? {
        guard let batch = state.withLock({ $0.takeBatch() }) else { return nil }
        do {
            try commit(session)
        } catch {
            fail(batch, error, session)
            // On a full disk a checkpoint may make room.
            if !isCheckpointing, (error as? StoreError)?.code == .diskFull {
                checkpointIfDue(session)
            }
            return .failure(error)
        }
        allocator.withLock { $0.commit() }
        let inLine = queuedWrites
        state.withLock { $0.committed(batch, inLine: inLine) }
        metrics?.committed(batch.count)
        // Before any waiter is resumed: observers have been notified when a write returns.
        changes.committed()
        if !callerSyncs, !batch.awaitingSync.isEmpty { syncInBackground() }
        if !isCheckpointing { checkpointIfDue(session) }
        return .success(batch.awaitingCommit)
    }

    /// Commits the open batch if acknowledged writes are in it, which a read has to see.
    func commitAcknowledgedWrites(_ session: any StoreWriteSession) {
        if state.withLock({ $0.hasReturnedWrites }) { commitBatch(session) }
    }

    /// Commits what a write without changes may have seen, since its caller relies on that.
    func commitObservedWrites(_ context: WriteContext) throws {
        if state.withLock({ $0.hasBatch || $0.isCommitting }) {
            try store.writer.withSession { session in _ = commitBatch(session) }
        }
        try context.transaction.requireSameVersion()
    }

    /// Opens a transaction for the write that has the permit alone, since it changes rows before its
    /// closure has ended; returns the limits of IDs that the store holds.
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
        // The first write of a batch needs no savepoint: nothing else is in the transaction.
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

    /// Rolls back the transaction of the write that has the permit, if it has one of its own.
    func rollbackExclusive() {
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
                // The batch cannot be separated from the failed changes.
            }
        }
        // SQLite has rolled everything back, the writes that were merged before included.
        if let batch = state.withLock({ $0.takeBatch() }) { fail(batch, error, session) }
    }

    /// Commits, and repeats that after interruptions that were meant for a query of the write.
    ///
    /// - Parameter evictions: What the transaction has changed beside the merged writes.
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

    /// Rolls a batch back and fails its waiters.
    private func fail(
        _ batch: CommitStateMachine<CommitWaiter>.Batch, _ error: any Error,
        _ session: any StoreWriteSession
    ) {
        rollback(session)
        allocator.withLock { $0.rollback() }
        metrics?.lost(batch.count)
        var error = error
        if var failure = error as? StoreError, failure.code == .inputOutput {
            // The WAL may hold a part of the commit, which the next opening would find.
            failure.outcome = .unknown
            error = failure
        }
        state.withLock { $0.failed(batch, error) }
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
