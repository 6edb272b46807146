import SkiathosCore

// What is pending is changed only in the turn to write, also where the store is not needed: an
// operation that is under way has read it, and is going to add to it.
extension StorePersistenceService {
    /// Drops what is pending in this service, and its steps.
    public func rollBack() async throws {
        try await inTurn { $0.tree.clear([$0.space]) }
    }

    /// Drops what is pending in this service, and its steps, blocking the thread.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    public func rollBack() throws { try inTurn { $0.tree.clear([$0.space]) } }

    /// Undoes the last step that is still pending here; returns whether there was one.
    @discardableResult
    public func undo() async throws -> Bool { try await inTurn { $0.tree.undo($0.space) } }

    /// Undoes the last step that is still pending here, blocking the thread.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    @discardableResult
    public func undo() throws -> Bool { try inTurn { $0.tree.undo($0.space) } }

    /// Does the step again that was undone last; returns whether there was one.
    @discardableResult
    public func redo() async throws -> Bool { try await inTurn { $0.tree.redo($0.space) } }

    /// Does the step again that was undone last, blocking the thread.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    @discardableResult
    public func redo() throws -> Bool { try inTurn { $0.tree.redo($0.space) } }

    private func inTurn<R: Sendable>(
        _ body: @Sendable (StorePersistenceService) -> R
    ) async throws -> R {
        let dal = try await gate.dal()
        return try await translated {
            try await dal.rehearse { _ in .undone(body(self)) }
        }
    }

    private func inTurn<R: Sendable>(
        _ body: @Sendable (StorePersistenceService) -> R
    ) throws -> R {
        let dal = try gate.dal()
        return try translated { try dal.rehearse { _ in .undone(body(self)) } }
    }
}
