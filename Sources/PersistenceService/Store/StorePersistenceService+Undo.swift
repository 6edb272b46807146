import SkiathosCore

// Pending changes are modified only while holding the write permit, also where the store is
// not needed: an operation in progress has read them, and is going to add to them.
extension StorePersistenceService {
    /// Discards the pending changes and the steps of this service.
    public func rollBack() async throws {
        try await inTurn { $0.tree.clear([$0.space]) }
    }

    /// Discards the pending changes and the steps of this service, blocking the thread.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    public func rollBack() throws { try inTurn { $0.tree.clear([$0.space]) } }

    /// Undoes the last step that is still pending here; returns whether there was one.
    @discardableResult
    public func undo() async throws -> Bool { try await inTurn { $0.tree.undo($0.space) } }

    /// Undoes the last step that is still pending here, blocking the thread.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    @discardableResult
    public func undo() throws -> Bool { try inTurn { $0.tree.undo($0.space) } }

    /// Redoes the step that was undone last; returns whether there was one.
    @discardableResult
    public func redo() async throws -> Bool { try await inTurn { $0.tree.redo($0.space) } }

    /// Redoes the step that was undone last, blocking the thread.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    @discardableResult
    public func redo() throws -> Bool { try inTurn { $0.tree.redo($0.space) } }

    private func inTurn<R: Sendable>(
        _ body: @Sendable (StorePersistenceService) -> R
    ) async throws -> R {
        let dal = try await gate.dal()
        return try await translated {
            try await dal.withExclusiveTransaction { _ in .rollback(body(self)) }
        }
    }

    private func inTurn<R: Sendable>(
        _ body: @Sendable (StorePersistenceService) -> R
    ) throws -> R {
        let dal = try gate.dal()
        return try translated { try dal.withExclusiveTransaction { _ in .rollback(body(self)) } }
    }
}
