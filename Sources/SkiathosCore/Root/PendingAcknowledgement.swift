import Dispatch

/// What a call waits for after it has released the write permit.
struct PendingAcknowledgement {
    /// Whether the write has changed anything.
    var isMerged = false
    /// What is resumed by the acknowledgement; `nil` if the call returns at once.
    var waiter: CommitWaiter?
    /// Whether the waiter waits for a sync.
    var awaitsSync = false
    /// The number of the batch, if its commit was left to expected siblings.
    var delayedBatch: Int?
    /// Why the commit that the write has made itself has failed.
    var failure: (any Error)?
    /// The writes that were committed with this one, and are resumed first.
    ///
    /// Their next writes find the permit released.
    var committed: [CommitWaiter] = []

    /// A wait for a sync of everything that a store has committed by now.
    static func sync(of commits: GroupCommit) -> PendingAcknowledgement {
        PendingAcknowledgement(waiter: commits.syncBarrier(), awaitsSync: true)
    }
}

/// Waiting for acknowledgements, after the permit was released.
extension GroupCommit {
    /// Blocks the thread until a write is acknowledged.
    ///
    /// The thread commits or syncs itself where no other call is about to.
    func awaitAcknowledgement(_ pending: PendingAcknowledgement) throws {
        resume(pending.committed)
        if let failure = pending.failure { throw failure }
        guard let waiter = pending.waiter else { return }
        if let batch = pending.delayedBatch {
            BriefWait.wait { permits.isHeld || waiter.isAcknowledged }
            delayEnded(since: batch, .toExpected, callerSyncs: pending.awaitsSync)
        }
        if pending.awaitsSync { syncAwaited() }
        try waiter.awaitAcknowledgement()
    }

    /// Suspends the task until a write is acknowledged.
    func acknowledgement(_ pending: PendingAcknowledgement) async throws {
        resume(pending.committed)
        if let failure = pending.failure { throw failure }
        guard let waiter = pending.waiter else { return }
        if let batch = pending.delayedBatch {
            // All tasks that can run do so now, before this one continues.
            await Task.yield()
            delayEnded(since: batch, .toAll, callerSyncs: false)
        }
        // A sync takes far longer than the way to another thread.
        if pending.awaitsSync { syncInBackground() }
        try await waiter.awaitAcknowledgement()
    }

    /// Calls a closure once a write is acknowledged: at once if it waits for nothing, else on a
    /// queue.
    func whenAcknowledged(
        _ pending: PendingAcknowledgement, on queue: DispatchQueue,
        _ completion: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        resume(pending.committed)
        if let failure = pending.failure { return completion(.failure(failure)) }
        guard let waiter = pending.waiter else { return completion(.success(())) }
        if pending.awaitsSync { syncInBackground() }
        waiter.whenAcknowledged(on: queue, completion)
    }

    private func resume(_ committed: [CommitWaiter]) {
        for waiter in committed { waiter.acknowledge(.success(())) }
    }
}
