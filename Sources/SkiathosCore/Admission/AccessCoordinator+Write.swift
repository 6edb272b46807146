import Dispatch
import SkiathosStore

extension AccessCoordinator {
    /// Runs a closure as a write, blocking the thread until it is its turn, and then until it is
    /// acknowledged.
    func write(
        _ level: Acknowledgement?, _ body: (WriteContext) throws -> Void
    ) throws {
        try requireUsable(for: .write)
        try turn.enter()
        let merge = try runWrite(nil, level, givingWay: .toExpected, body)
        if let waiter = merge.waiter {
            let isDurable = level ?? defaultLevel == .durable
            if let batch = merge.leftBatch {
                GivingWay.giveWay { turn.isOccupied || waiter.isAcknowledged }
                rootWriter.gaveWay(since: batch, callerSyncs: isDurable)
            }
            if isDurable { rootWriter.syncAwaited() }
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

    /// Runs a closure as a write; waiting for the turn and the acknowledgement blocks no thread.
    func write<R: Sendable>(
        _ level: Acknowledgement?, _ body: @Sendable (WriteContext) throws -> R
    ) async throws -> R {
        try requireUsable(for: .write)
        try await turn.enter()
        var merge: RootWriter.Merge?
        let value = try await interruptible { interruption in
            try withResultSlot { slot in
                merge = try runWrite(interruption, level, givingWay: .toAll) { context in
                    try slot.fill { try body(context) }
                }
            }
        }
        if let waiter = merge?.waiter {
            if let batch = merge?.leftBatch {
                // Now all tasks that can run do so, before this one goes on.
                await Task.yield()
                rootWriter.gaveWay(since: batch, callerSyncs: false)
            }
            // A sync takes far longer than the way to another thread.
            if level ?? defaultLevel == .durable { rootWriter.syncInBackground() }
            try await waiter.awaitAcknowledgement()
        }
        return value
    }

    /// Runs a closure as a write when it is its turn, without anybody waiting for it.
    ///
    /// The completion is called exactly once, after the turn was given on, and never on the
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
            try turn.submit { refusal in
                if let refusal { return completion(.failure(refusal)) }
                var waiter: CommitWaiter?
                let result = Result {
                    try withResultSlot { (slot: inout ResultSlot<R>) in
                        waiter = try self.runWrite(nil, level, givingWay: .never) { context in
                            try slot.fill { try body(context) }
                        }.waiter
                    }
                }
                guard let waiter else { return completion(result) }
                if level ?? self.defaultLevel == .durable { self.rootWriter.syncInBackground() }
                waiter.whenAcknowledged(on: self.completionQueue) { end in
                    completion(end.flatMap { result })
                }
            }
        } catch {
            DispatchQueue.global().async { completion(.failure(error)) }
        }
    }

    /// Deletes every row, in turn with the writes.
    func reset() throws {
        try requireUsable(for: .reset)
        try turn.enter()
        defer { rootWriter.leaveTurn() }
        try rootWriter.reset()
    }

    /// Deletes every row, in turn with the writes.
    func reset() async throws {
        try requireUsable(for: .reset)
        try await turn.enter()
        defer { rootWriter.leaveTurn() }
        try rootWriter.reset()
    }

    /// Brings all writes that were accepted before to a level.
    func flush(to level: Acknowledgement) throws {
        try requireUsable(for: .flush)
        try turn.enter()
        guard let waiter = try flushInTurn(to: level) else { return }
        rootWriter.syncAwaited()
        try waiter.awaitAcknowledgement()
    }

    /// Brings all writes that were accepted before to a level.
    func flush(to level: Acknowledgement) async throws {
        try requireUsable(for: .flush)
        try await turn.enter()
        guard let waiter = try flushInTurn(to: level) else { return }
        rootWriter.syncInBackground()
        try await waiter.awaitAcknowledgement()
    }

    private func flushInTurn(to level: Acknowledgement) throws -> CommitWaiter? {
        defer { rootWriter.leaveTurn() }
        return try rootWriter.flush(to: level)
    }

    /// Runs a write that has the turn, and gives the turn on.
    private func runWrite(
        _ interruption: Interruption?, _ level: Acknowledgement?,
        givingWay: RootWriter.State.GivingWay,
        _ body: (WriteContext) throws -> Void
    ) throws -> RootWriter.Merge {
        let start = metrics.map { _ in ContinuousClock.now }
        defer { if let start { metrics?.writeEnded(since: start) } }
        do {
            let merge = try run(.write) {
                try rootWriter.perform(
                    interruption, level ?? defaultLevel, givingWay: givingWay, body)
            }
            // What has to be done for a merged write was decided with the merge.
            if merge.isMerged { turn.leave() } else { rootWriter.leaveTurn(hasRead: true) }
            for waiter in merge.committed { waiter.acknowledge(.success(())) }
            return merge
        } catch {
            rootWriter.leaveTurn(hasRead: true)
            throw error
        }
    }
}
