import Dispatch
import SkiathosStore

extension AccessCoordinator {
    /// Runs a closure as a write, blocking the thread until it has the write permit, and then
    /// until the write is acknowledged.
    func write(
        _ level: Acknowledgement?, _ body: (WriteContext) throws -> Void
    ) throws {
        try requireUsable(for: .write)
        let merge = try rootWriter.withPermit { release in
            try runWrite(nil, level, delay: .toExpected, &release, body)
        }
        merge.resumeCommitted()
        if let waiter = merge.waiter {
            let isDurable = level ?? defaultLevel == .durable
            if let batch = merge.delayedBatch {
                BriefWait.wait { rootWriter.permits.isHeld || waiter.isAcknowledged }
                rootWriter.commits.delayEnded(since: batch, callerSyncs: isDurable)
            }
            if isDurable { rootWriter.commits.syncAwaited() }
            try waiter.awaitAcknowledgement()
        }
    }

    /// Runs a closure as a write, blocking the thread, and returns its result.
    func write<R>(
        _ level: Acknowledgement?, _ body: (WriteContext) throws -> R
    ) throws -> R {
        try withResultSlot { slot in
            try write(level) { (context: WriteContext) -> Void in
                try slot.fill { try body(context) }
            }
        }
    }

    /// Runs a closure as a write; waiting for the permit and the acknowledgement blocks no
    /// thread.
    func write<R: Sendable>(
        _ level: Acknowledgement?, _ body: @Sendable (WriteContext) throws -> R
    ) async throws -> R {
        try requireUsable(for: .write)
        var merge: RootWriter.Merge?
        let value = try await rootWriter.withAwaitedPermit { interruption, release in
            try withResultSlot { slot in
                merge = try runWrite(
                    interruption, level, delay: .toAll, &release
                ) { context in try slot.fill { try body(context) } }
            }
        }
        merge?.resumeCommitted()
        if let waiter = merge?.waiter {
            if let batch = merge?.delayedBatch {
                // All tasks that can run do so now, before this one continues.
                await Task.yield()
                rootWriter.commits.delayEnded(since: batch, callerSyncs: false)
            }
            // A sync takes far longer than the way to another thread.
            if level ?? defaultLevel == .durable { rootWriter.commits.syncInBackground() }
            try await waiter.awaitAcknowledgement()
        }
        return value
    }

    /// Runs a closure as a write when it gets the permit; no caller waits for it.
    ///
    /// The completion is called exactly once, after the permit was released, and never on the
    /// caller's thread.
    func submit<R: Sendable>(
        _ level: Acknowledgement?, _ body: @escaping @Sendable (WriteContext) throws -> R,
        completion: @escaping @Sendable (Result<R, any Error>) -> Void
    ) {
        completions.enter()
        let completion: @Sendable (Result<R, any Error>) -> Void = { [completions] result in
            completion(result)
            completions.leave()
        }
        do {
            try rootWriter.submitWithPermit { release in
                var merge: RootWriter.Merge?
                let value = try withResultSlot { (slot: inout ResultSlot<R>) in
                    merge = try self.runWrite(nil, level, delay: .never, &release) { context in
                        try slot.fill { try body(context) }
                    }
                }
                return (value, merge)
            } then: { result in
                let merge = try? result.get().1
                merge?.resumeCommitted()
                guard let waiter = merge?.waiter else { return completion(result.map(\.0)) }
                if level ?? self.defaultLevel == .durable {
                    self.rootWriter.commits.syncInBackground()
                }
                waiter.whenAcknowledged(on: self.completionQueue) { end in
                    completion(end.flatMap { result.map(\.0) })
                }
            }
        } catch {
            DispatchQueue.global().async { completion(.failure(error)) }
        }
    }

    /// Deletes every row, in the order of the writes.
    func reset() throws {
        try requireUsable(for: .reset)
        try rootWriter.withPermit { _ in try rootWriter.reset() }
    }

    /// Deletes every row, in the order of the writes.
    func reset() async throws {
        try requireUsable(for: .reset)
        try await rootWriter.withAwaitedPermit { _, _ in try rootWriter.reset() }
    }

    /// Raises all writes that were accepted before to an acknowledgement level.
    func flush(to level: Acknowledgement) throws {
        try requireUsable(for: .flush)
        let waiter = try rootWriter.withPermit { _ in try rootWriter.commits.flush(to: level) }
        guard let waiter else { return }
        rootWriter.commits.syncAwaited()
        try waiter.awaitAcknowledgement()
    }

    /// Raises all writes that were accepted before to an acknowledgement level.
    func flush(to level: Acknowledgement) async throws {
        try requireUsable(for: .flush)
        let waiter = try await rootWriter.withAwaitedPermit { _, _ in
            try rootWriter.commits.flush(to: level)
        }
        guard let waiter else { return }
        rootWriter.commits.syncInBackground()
        try await waiter.awaitAcknowledgement()
    }

    /// Runs a write that has the permit.
    private func runWrite(
        _ interruption: Interruption?, _ level: Acknowledgement?,
        delay: GroupCommit.State.CommitDelay, _ release: inout PermitRelease,
        _ body: (WriteContext) throws -> Void
    ) throws -> RootWriter.Merge {
        let start = metrics.map { _ in ContinuousClock.now }
        defer { if let start { metrics?.writeEnded(since: start) } }
        release = .unmerged(hasRead: true)
        let merge = try run(.write) {
            try rootWriter.runWrite(interruption, level ?? defaultLevel, delay: delay, body)
        }
        if merge.isMerged { release = .complete }
        return merge
    }
}
