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
        file: StaticString = #fileID, line: UInt = #line,
        _ body: (WriteContext) throws -> TransactionOutcome<R>
    ) throws -> R {
        try coordinator.withExclusiveTransaction(
            SourcePlace(file: file, line: line), level, body)
    }

    /// Runs a write in a transaction of its own, which the closure commits or rolls back;
    /// waiting blocks no thread.
    package func withExclusiveTransaction<R: Sendable>(
        acknowledging level: Acknowledgement? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ body: @Sendable (WriteContext) throws -> TransactionOutcome<R>
    ) async throws -> R {
        try await coordinator.withExclusiveTransaction(
            SourcePlace(file: file, line: line), level, body)
    }

    /// Accepts a write in a transaction of its own, which the closure commits or rolls back, and
    /// returns at once.
    ///
    /// - Parameter completion: Called exactly once, on a thread of the store and never before this
    ///   returns.
    package func submitExclusiveTransaction<R: Sendable>(
        acknowledging level: Acknowledgement? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (WriteContext) throws -> TransactionOutcome<R>,
        completion: @escaping @Sendable (Result<R, any Error>) -> Void
    ) {
        coordinator.submitExclusiveTransaction(
            SourcePlace(file: file, line: line), level, body, completion: completion)
    }

    /// Gives a failure that no caller awaits to the error handler of the configuration.
    package func report(_ failure: BackgroundFailure) { coordinator.reportFailure(failure) }

    /// The entities of the store.
    package var schema: StoreSchema { coordinator.store.schema }
}
