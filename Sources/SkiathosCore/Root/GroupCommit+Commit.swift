import Dispatch
import SkiathosStore

/// Committing the open batch.
extension GroupCommit {
    /// Does what was decided with a merge, while the connection is held; returns the waiters that
    /// the caller has to resume after it has released the permit.
    func run(
        _ action: State.Action, _ session: any StoreWriteSession, callerSyncs: Bool
    ) -> [CommitWaiter] {
        switch action {
        case .commit:
            if case .success(let committed) = commitWithoutResuming(
                session, callerSyncs: callerSyncs)
            {
                return committed
            }
        case .wakeLater: wakeLater()
        case .none: break
        }
        return []
    }

    /// Commits the open batch and resumes its waiters; `nil` if there is none.
    ///
    /// Called while the connection is held.
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
    private func commitWithoutResuming(
        _ session: any StoreWriteSession, callerSyncs: Bool, isCheckpointing: Bool = false
    ) -> Result<[CommitWaiter], any Error>? {
        guard let batch = advance({ $0.takeBatch() }) else { return nil }
        let failure = commit(
            batch, session, callerSyncs: callerSyncs, isCheckpointing: isCheckpointing)
        if let failure { return .failure(failure.cause) }
        return .success(batch.awaitingCommit)
    }

    /// Why a batch could not be committed.
    struct Failure {
        let cause: any Error
        /// The same, with what is known of the outcome, as the writes of the batch throw it.
        let reported: any Error
    }

    /// Commits a batch that was taken; returns why that has failed.
    func commit(
        _ batch: State.Batch, _ session: any StoreWriteSession, callerSyncs: Bool = false,
        isCheckpointing: Bool = false
    ) -> Failure? {
        do {
            try commit(session)
        } catch {
            let reported = fail(batch, error, session)
            // On a full disk a checkpoint may make room.
            if !isCheckpointing, (error as? StoreError)?.code == .diskFull {
                checkpointIfDue(session)
            }
            return Failure(cause: error, reported: reported)
        }
        if !batch.awaitingSync.isEmpty { store.writer.prepareSync() }
        main.willAdvance()
        let queued = queuedWrites
        committed(batch, queued: queued)
        metrics?.committed(batch.count)
        // Before any waiter is resumed: the commit is queued for observers when a write returns.
        main.advance(to: session.committedVersion)
        if !callerSyncs, !batch.awaitingSync.isEmpty { syncInBackground() }
        if !isCheckpointing { checkpointIfDue(session) }
        return nil
    }

    /// Commits, and repeats that after interruptions that were meant for a query of the write.
    func commit(_ session: any StoreWriteSession) throws {
        // Before, those of the access that commits.
        statements?.collect(session)
        defer { statements?.collect(session, as: .commit) }
        main.willCommit(from: session.committedVersion)
        do {
            try commitUninterrupted(session)
        } catch {
            // Where another program has touched the files, it is not known which rows are as before.
            let isKnown = (error as? StoreError)?.endsDurability != true
            main.commitFailed(at: isKnown ? session.committedVersion : nil)
            throw error
        }
    }

    private func commitUninterrupted(_ session: any StoreWriteSession) throws {
        while true {
            do {
                return try session.commit()
            } catch let error as StoreError
                where error.code == .interrupted && session.isInTransaction
            {
                // The next attempt leads to another version than was announced to the caches, which
                // remove all rows then.
                continue
            } catch let error as StoreError where error.endsDurability {
                // The commit has met files that were touched, or a failed sync of the WAL's header.
                filesFailed(error)
                throw error
            }
        }
    }

    /// Rolls a batch back and fails its waiters; returns their error.
    @discardableResult
    func fail(
        _ batch: State.Batch, _ error: any Error, _ session: any StoreWriteSession
    ) -> any Error {
        rollback(session)
        metrics?.lost(batch.count)
        var error = error
        if var failure = error as? StoreError, failure.code == .inputOutput {
            // The WAL may hold a part of the commit, which the next opening would find.
            failure.outcome = .unknown
            error = failure
        }
        let lost = failed(batch, error)
        main.discardBatch()
        for waiter in batch.awaitingCommit + batch.awaitingSync {
            waiter.acknowledge(.failure(error))
        }
        if batch.returned > 0 {
            reportFailure(
                BackgroundFailure(
                    operation: .commit, error: error, lostWrites: batch.returned,
                    lostChanges: lost.report(store.schema)))
        }
        return error
    }

    /// Commits the open batch if acknowledged writes are in it, which a read has to see.
    func commitAcknowledgedWrites(_ session: any StoreWriteSession) {
        if hasReturnedWrites { commitBatch(session) }
    }

    /// Commits the open batch if a read which begins now has to see it.
    func commitForRead() throws {
        guard hasReturnedWrites else { return }
        // A failed commit was reported; the read sees the version before it.
        try store.writer.withSession { session in _ = commitBatch(session) }
    }

    /// Commits the open batch, or waits for the commit of it, for a write without changes that may
    /// have seen it.
    func commitObservedWrites() throws {
        guard advance({ $0.hasBatch || $0.isCommitting }) else { return }
        try store.writer.withSession { session in _ = commitBatch(session) }
    }

    /// Commits the open batch if its waiters relied on the holder of a permit that was released
    /// without a merge.
    func permitReleased(othersWait: Bool) {
        switch advance({ $0.permitReleased(othersWait: othersWait) }) {
        case .commit: commitInBackground()
        case .wakeLater: wakeLater()
        case .none: break
        }
    }

    /// Commits the batch unless the expected siblings have done so.
    ///
    /// - Parameters:
    ///   - batch: The number of the batch that was left to them.
    ///   - delay: How the caller has delayed its commit.
    ///   - callerSyncs: Whether the caller will call ``syncAwaited()``.
    func delayEnded(since batch: Int, _ delay: State.CommitDelay, callerSyncs: Bool) {
        let isHeld = permits.isHeld
        switch advance({ $0.delayEnded(since: batch, othersWait: isHeld, delay) }) {
        case .commit: commitOpenBatch(callerSyncs: callerSyncs)
        case .wakeLater: wakeLater()
        case .none: break
        }
    }

    private func wakeLater() {
        background.asyncAfter(deadline: .now() + interval) { [self] in
            if advance({ $0.wokeUp() }) == .commit { commitAndSync() }
        }
    }

    private func commitInBackground() {
        background.async { [self] in commitAndSync() }
    }

    /// Commits what was merged during a sync, and syncs again, after the writes that the sync has
    /// resumed had a moment to come back.
    func commitAndSyncInBackground() {
        background.async { [self] in
            // Those that are committed already have waited long enough.
            BriefWait.wait { advance { $0.isComplete || $0.isSyncAwaited } }
            commitAndSync()
        }
    }

    private func commitAndSync() {
        commitOpenBatch(callerSyncs: true)
        syncAwaited()
    }

    private func commitOpenBatch(callerSyncs: Bool) {
        do {
            var committed: [CommitWaiter] = []
            try store.writer.withSession { (session: any StoreWriteSession) -> Void in
                committed = run(.commit, session, callerSyncs: callerSyncs)
            }
            for waiter in committed { waiter.acknowledge(.success(())) }
        } catch {
            // A store that was closed meanwhile has committed everything.
            if hasBatch { reportFailure(BackgroundFailure(operation: .commit, error: error)) }
        }
    }

    /// Commits everything that was merged, for a level of acknowledgement.
    ///
    /// - Throws: why writes that had returned were rolled back since the last call.
    func flush(to level: Acknowledgement) throws -> PendingAcknowledgement {
        guard level.awaitsCommit, !store.isReadOnly else { return PendingAcknowledgement() }
        try store.writer.withSession { session in
            _ = commitBatch(session, callerSyncs: level.awaitsSync)
        }
        if let loss = takeUnreportedFailure() { throw loss }
        return level.awaitsSync ? .sync(of: self) : PendingAcknowledgement()
    }

    /// Commits what is left and lowers the limits of IDs to what was used, so that no ID is
    /// skipped by closing.
    ///
    /// Called when the permit is held by the closing, while writes may still wait for a sync.
    func finish() throws {
        store.writer.willClose()
        let committed = Result {
            try store.writer.withSession { session in _ = try commitBatch(session)?.get() }
        }
        // Closing throws a failure, too.
        if advance({ $0.isSyncAwaited }) { try? syncNow() }
        // Background work that is running finds an open store.
        awaitCheckpoint()
        do {
            try returnUnusedIDs()
        } catch {
            // Closing does without a checkpoint where another program is in the way.
            try? syncNow()
            throw error
        }
        try committed.get()
    }

    /// Why writes that had returned were rolled back since the last flush; `nil` if none was.
    func takeUnreportedFailure() -> (any Error)? { advance { $0.takeUnreportedFailure() } }

    private func returnUnusedIDs() throws {
        let unused = unusedIDs
        guard !unused.isEmpty, !store.isReadOnly, failure == nil else { return }
        try store.writer.withSession { session in
            var attempts = 0
            while true {
                do {
                    try session.begin()
                    try session.apply(
                        unused.map { .reserveIDs(entity: $0.entity, upTo: $0.highest) })
                    // No row is changed by it, and no read follows.
                    try commit(session)
                    return
                } catch let error as StoreError where error.code == .interrupted && attempts < 16 {
                    // It was meant for a statement of a write or a read.
                    rollback(session)
                    attempts += 1
                } catch {
                    rollback(session)
                    throw error
                }
            }
        }
    }
}
