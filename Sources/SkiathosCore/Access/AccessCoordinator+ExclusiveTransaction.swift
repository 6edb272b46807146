import SkiathosStore

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
            let synced = rootWriter.commits.syncBarrier()
            rootWriter.commits.syncAwaited()
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
            let synced = rootWriter.commits.syncBarrier()
            rootWriter.commits.syncInBackground()
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
