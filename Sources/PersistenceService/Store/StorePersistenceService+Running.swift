import SkiathosCore

extension StorePersistenceService {
    /// Runs a query on what the service sees.
    public func run<Value: Sendable>(_ query: ServiceQuery<Value>) async throws -> Value {
        let dal = try await gate.dal()
        return try await translated {
            if tree.isClean(path) { return try await dal.read(query.body) }
            return try await dal.withExclusiveTransaction { try self.answer(query, in: $0) }
        }
    }

    /// Runs a query, blocking the thread.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    public func run<Value: Sendable>(_ query: ServiceQuery<Value>) throws -> Value {
        let dal = try gate.dal()
        return try translated {
            if tree.isClean(path) { return try dal.read(query.body) }
            return try dal.withExclusiveTransaction { try self.answer(query, in: $0) }
        }
    }

    /// Runs a change, which decides how far it goes.
    public func run<Value: Sendable>(_ change: ServiceChange<Value>) async throws -> Value {
        let dal = try await gate.dal()
        return try await translated {
            try await dal.withExclusiveTransaction(acknowledging: level) {
                try self.apply(change, in: $0)
            }
        }
    }

    /// Runs a change, blocking the thread.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    public func run<Value: Sendable>(_ change: ServiceChange<Value>) throws -> Value {
        let dal = try gate.dal()
        return try translated {
            try dal.withExclusiveTransaction(acknowledging: level) {
                try self.apply(change, in: $0)
            }
        }
    }

    private func answer<Value>(
        _ query: ServiceQuery<Value>, in context: WriteContext
    ) throws -> TransactionOutcome<Value> {
        try replay(path, in: context)
        return .rollback(try context.reading(query.body))
    }

    /// Applies a change that has the permit, and decides what is committed.
    func apply<Value>(
        _ change: ServiceChange<Value>, in context: WriteContext
    ) throws -> TransactionOutcome<Value> {
        let wasClean = tree.isClean(path)
        try replay(path, in: context)
        try context.beginCapture()
        let (value, depth) = try change.body(context)
        let changes = try context.endCapture()
        switch depth {
        case .parent where parent == nil, .store:
            // Without other pending changes, the transaction holds exactly the changes to
            // save.
            if !wasClean {
                try context.startOver()
                try saveAll(adding: changes, in: context, change.policy)
            }
            return .commit(value, then: { self.tree.clear(self.path) })
        case .parent:
            try context.startOver()
            let moved = try merged(
                adding: changes, in: context, change.policy)
            move(moved, name: change.operation)
            return .rollback(value)
        case .keep:
            tree.add(changes, to: space, as: name(of: change.operation))
            return .rollback(value)
        }
    }

    /// Applies the pending changes of spaces to the transaction, the outermost space first.
    func replay(_ spaces: some Collection<SpaceTree.ID>, in context: WriteContext) throws {
        for changes in tree.changes(of: Array(spaces)) where !changes.isEmpty {
            try context.replay(
                try changes.replay(in: context.schema) { try context.existing($0) })
        }
    }

    /// The name of a step.
    func name(of operation: ServiceOperation) -> String {
        operation.name ?? operation.description
    }

    /// Runs a call; says in terms of services that it was made inside of another one.
    func translated<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch { throw Self.translated(error) }
    }

    /// Runs a call; says in terms of services that it was made inside of another one.
    func translated<R: Sendable>(_ body: () async throws -> R) async throws -> R {
        do { return try await body() } catch { throw Self.translated(error) }
    }

    /// An error, in terms of services if a call was made inside of another one.
    static func translated(_ error: any Error) -> any Error {
        guard let cause = error as? DataAccessError, cause.code == .nestedAccess else {
            return error
        }
        return PersistenceServiceError(
            .nestedCall,
            "A persistence service was called inside a closure of itself, its parent, a child or its store, and would wait for itself. Use the objects and the context of the closure.",
            cause: cause)
    }
}
