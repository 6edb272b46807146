package import SkiathosStore

/// How an exclusive transaction ends.
package enum TransactionOutcome<R> {
    /// Everything is rolled back; only the value is returned.
    case rollback(R)
    /// Everything is committed.
    ///
    /// Then the closure is called, before any other write begins.
    case commit(R, then: () -> Void)
}

extension DataAccessLayer {
    /// Runs a write in a transaction of its own; the closure decides whether it is committed
    /// or rolled back.
    ///
    /// The write permit is held from beginning to end, the connection only while the closure
    /// applies changes or runs queries.
    ///
    /// - Throws: what the closure throws; everything is rolled back then.
    package func withExclusiveTransaction<R: Sendable>(
        acknowledging level: Acknowledgement? = nil,
        _ body: (WriteContext) throws -> TransactionOutcome<R>
    ) throws -> R {
        try coordinator.withExclusiveTransaction(level, body)
    }

    /// Runs a write in a transaction of its own, which the closure commits or rolls back;
    /// waiting blocks no thread.
    package func withExclusiveTransaction<R: Sendable>(
        acknowledging level: Acknowledgement? = nil,
        _ body: @Sendable (WriteContext) throws -> TransactionOutcome<R>
    ) async throws -> R {
        try await coordinator.withExclusiveTransaction(level, body)
    }

    /// The entities of the store.
    package var schema: StoreSchema { coordinator.store.schema }
}

extension AccessCoordinator {
    func withExclusiveTransaction<R>(
        _ level: Acknowledgement?, _ body: (WriteContext) throws -> TransactionOutcome<R>
    ) throws -> R {
        try requireUsable(for: .write)
        if level ?? defaultLevel == .durable { try rootWriter.requireWritable(.durable) }
        let (value, isCommitted) = try rootWriter.withPermit { release in
            release = .unmerged(hasRead: true)
            return try runExclusively(nil, body)
        }
        if isCommitted, level ?? defaultLevel == .durable {
            let synced = rootWriter.syncBarrier()
            rootWriter.syncAwaited()
            try synced.awaitAcknowledgement()
        }
        return value
    }

    func withExclusiveTransaction<R: Sendable>(
        _ level: Acknowledgement?, _ body: @Sendable (WriteContext) throws -> TransactionOutcome<R>
    ) async throws -> R {
        try requireUsable(for: .write)
        if level ?? defaultLevel == .durable { try rootWriter.requireWritable(.durable) }
        let (value, isCommitted) = try await rootWriter.withAwaitedPermit { interruption, release in
            release = .unmerged(hasRead: true)
            return try runExclusively(interruption, body)
        }
        if isCommitted, level ?? defaultLevel == .durable {
            let synced = rootWriter.syncBarrier()
            rootWriter.syncInBackground()
            try await synced.awaitAcknowledgement()
        }
        return value
    }

    /// Runs an exclusive transaction that has the permit.
    private func runExclusively<R>(
        _ interruption: Interruption?, _ body: (WriteContext) throws -> TransactionOutcome<R>
    ) throws -> (R, isCommitted: Bool) {
        try run(.write) {
            var isCommitted = false
            let value = try withResultSlot { slot in
                isCommitted = try rootWriter.runExclusive(interruption) { context in
                    switch try body(context) {
                    case .rollback(let result):
                        slot.fill { result }
                        return .rollback
                    case .commit(let result, let then):
                        slot.fill { result }
                        return .commit(then: then)
                    }
                }
            }
            return (value, isCommitted)
        }
    }
}
