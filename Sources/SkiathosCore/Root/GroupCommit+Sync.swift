import Dispatch
import SkiathosStore
import Synchronization

/// Syncing and checkpointing.
extension GroupCommit {
    /// Syncs for all waiters whose changes are committed, unless a sync is running, which is followed
    /// by theirs.
    func syncAwaited() {
        switch advance({ $0.beginSync() }) {
        case .none: break
        case .refuse(let waiters, let failure): refuse(waiters, failure)
        case .run(let waiters):
            let failure = Result { try measuredSync() }.failure
            let queued = queuedWrites
            let (isNews, goesOn) = advance { machine in
                (
                    failure != nil && machine.failure == nil,
                    machine.endSync(failure, served: waiters.count, inLine: queued)
                )
            }
            if let failure {
                // First, so that the failure is reported when a waiter throws it.
                if isNews { reportFailure(BackgroundFailure(operation: .sync, error: failure)) }
                refuse(waiters, failure)
            } else {
                for waiter in waiters { waiter.acknowledge(.success(())) }
            }
            if goesOn { commitAndSyncInBackground() }
        }
    }

    /// Calls ``syncAwaited()`` on another thread, unless a call is due there that has not begun.
    func syncInBackground() {
        guard !isSyncDue.exchange(true, ordering: .sequentiallyConsistent) else { return }
        background.async { [self] in
            isSyncDue.store(false, ordering: .sequentiallyConsistent)
            syncAwaited()
        }
    }

    /// A waiter for a sync of everything that is committed by now.
    func syncBarrier() -> CommitWaiter {
        let waiter = CommitWaiter()
        advance { $0.awaitSync(waiter) }
        return waiter
    }

    /// Syncs everything that is committed by now, and blocks the thread until that is done.
    func syncNow() throws {
        let synced = syncBarrier()
        syncAwaited()
        try synced.awaitAcknowledgement()
    }

    /// Syncs, and records its duration.
    private func measuredSync() throws {
        guard let metrics else { return try store.writer.sync() }
        let start = ContinuousClock.now
        defer { metrics.synced(since: start) }
        try store.writer.sync()
    }

    private func refuse(_ waiters: [CommitWaiter], _ failure: StoreError) {
        var failure = failure
        failure.outcome = failure.code == .interference ? .unknown : .committed
        for waiter in waiters { waiter.acknowledge(.failure(failure)) }
    }

    /// Nothing counts as durable any more: the files were found removed, replaced or cut, or the sync
    /// that a commit makes of the WAL's header has failed.
    func filesFailed(_ error: StoreError) {
        guard advance({ $0.fail(error) }) else { return }
        let operation: BackgroundFailure.Operation =
            error.code == .interference ? .fileCheck : .sync
        reportFailure(BackgroundFailure(operation: operation, error: error))
    }

    /// Has a checkpoint made if one is due; call while holding the connection, after a commit.
    ///
    /// It is made when no write is queued, unless the WAL has become far too long.
    func checkpointIfDue(_ session: any StoreWriteSession) {
        switch session.checkpointNeed {
        case .none: break
        case .due:
            guard queuedWrites == 0, advance({ $0.planCheckpoint() }) else { return }
            maintenance.async { [self] in checkpoint() }
        case .overdue: checkpoint(session)
        }
    }

    /// Makes a checkpoint while the connection is held, unless nothing counts as durable any more.
    func checkpoint(_ session: any StoreWriteSession) {
        guard failure == nil else { return }
        noteFailure(of: .checkpoint) { try session.checkpoint() }
    }

    private func checkpoint() {
        noteFailure(of: .checkpoint) {
            do {
                // Without the connection: writes wait only while pages are copied.
                try syncNow()
            } catch {
                advance { $0.checkpointEnded() }
                throw error
            }
            try store.writer.withSession { session in
                // While the connection is held: a commit that follows may need another checkpoint.
                defer { advance { $0.checkpointEnded() } }
                guard session.checkpointNeed != .none else { return }
                commitBatch(session, isCheckpointing: true)
                // After a write with a transaction of its own there is another attempt.
                if !session.isInTransaction { try session.checkpoint() }
            }
        }
    }

    /// Runs a background operation, and reports its failure to the error handler.
    ///
    /// An interruption was meant for a statement of a write and is no failure: the next checkpoint
    /// does what this one has left.
    private func noteFailure(
        of operation: BackgroundFailure.Operation, _ body: () throws -> Void
    ) {
        do {
            try body()
        } catch let error as StoreError where error.code == .interrupted {
            return
        } catch {
            if let error = error as? StoreError, error.isStorageFailure {
                guard advance({ $0.fail(error) }) else { return }
            }
            reportFailure(BackgroundFailure(operation: operation, error: error))
        }
    }

    /// Waits for the checkpoint that is running, if there is one.
    func awaitCheckpoint() { maintenance.sync {} }
}

extension Result where Success == Void, Failure == any Error {
    /// The failure in the terms of the store.
    fileprivate var failure: StoreError? {
        guard case .failure(let error) = self else { return nil }
        return error as? StoreError
            ?? StoreError(.backend, "The WAL could not be synced.", cause: error)
    }
}
