import SkiathosStore

extension AccessCoordinator {
    /// Runs a write in a transaction of its own, blocking the thread.
    func withExclusiveTransaction<R>(
        _ place: SourcePlace, _ level: Acknowledgement?,
        _ body: (WriteContext) throws -> TransactionOutcome<R>
    ) throws -> R {
        let record = observer?.beginWrite(place, level ?? defaultLevel)
        defer { record?.end() }
        do {
            try requireUsable(for: .write)
            let (value, pending) = try rootWriter.withPermit { release in
                release = .unmerged(hasRead: true)
                return try runExclusively(record, nil, level ?? defaultLevel, body)
            }
            try commits.awaitAcknowledgement(pending)
            return value
        } catch {
            record?.fail(error)
            throw error
        }
    }

    /// Runs a write in a transaction of its own; waiting blocks no thread.
    func withExclusiveTransaction<R: Sendable>(
        _ place: SourcePlace, _ level: Acknowledgement?,
        _ body: @Sendable (WriteContext) throws -> TransactionOutcome<R>
    ) async throws -> R {
        let record = observer?.beginWrite(place, level ?? defaultLevel)
        defer { record?.end() }
        do {
            try requireUsable(for: .write)
            let (value, pending) = try await rootWriter.withAwaitedPermit { interruption, release in
                release = .unmerged(hasRead: true)
                return try runExclusively(record, interruption, level ?? defaultLevel, body)
            }
            try await commits.acknowledgement(pending)
            return value
        } catch {
            record?.fail(error)
            throw error
        }
    }

    /// Runs a write in a transaction of its own when it gets the permit; no caller waits for it.
    func submitExclusiveTransaction<R: Sendable>(
        _ place: SourcePlace, _ level: Acknowledgement?,
        _ body: @escaping @Sendable (WriteContext) throws -> TransactionOutcome<R>,
        completion: @escaping @Sendable (Result<R, any Error>) -> Void
    ) {
        let record = observer?.beginWrite(place, level ?? defaultLevel)
        submit(record, completion: completion) { release in
            release = .unmerged(hasRead: true)
            return try self.runExclusively(record, nil, level ?? self.defaultLevel, body)
        }
    }

    /// Runs an exclusive transaction that has the permit.
    private func runExclusively<R>(
        _ record: AccessRecord?, _ interruption: Interruption?, _ level: Acknowledgement,
        _ body: (WriteContext) throws -> TransactionOutcome<R>
    ) throws -> (R, PendingAcknowledgement) {
        record?.admitted()
        return try StatementScope.run(record) {
            try runExclusively(interruption, level, body)
        }
    }

    private func runExclusively<R>(
        _ interruption: Interruption?, _ level: Acknowledgement,
        _ body: (WriteContext) throws -> TransactionOutcome<R>
    ) throws -> (R, PendingAcknowledgement) {
        try run(.write) {
            var pending = PendingAcknowledgement()
            let value = try withResultSlot { slot in
                pending = try rootWriter.runExclusive(interruption, level) { context in
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
            return (value, pending)
        }
    }
}
