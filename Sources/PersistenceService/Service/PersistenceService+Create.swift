public import SkiathosCore

/// Creating; each comes in an asynchronous form, and in one that blocks the thread.
extension PersistenceService {
    /// Creates one with a new ID, which is final at once, also while it is pending.
    ///
    /// ```swift
    /// let ada = try await service.create(User.self, saving: .store) { $0.name = "Ada" }
    /// // INSERT INTO "user" …
    /// ```
    ///
    /// - Parameters:
    ///   - entity: The type of the value.
    ///   - depth: How far the change goes.
    ///   - policy: How conflicts of the changes saved with it are resolved.
    ///   - change: Sets properties of the new value; may not change its ID.
    /// - Returns: The value with its ID.
    @discardableResult
    public func create<E: Entity>(
        _ entity: E.Type, saving depth: SaveDepth, merging policy: MergePolicy = .throwing,
        _ change: @escaping @Sendable (inout E) throws -> Void = { _ in }
    ) async throws -> E where E.RawID: GeneratedKey {
        try await run(.creating(depth, policy, change))
    }
    /// Creates one with a new ID, which is final at once, also while it is pending.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    @discardableResult
    public func create<E: Entity>(
        _ entity: E.Type, saving depth: SaveDepth, merging policy: MergePolicy = .throwing,
        _ change: @escaping @Sendable (inout E) throws -> Void = { _ in }
    ) throws -> E where E.RawID: GeneratedKey {
        try run(.creating(depth, policy, change))
    }

    /// Creates one from a value, whose ID is replaced by a new one if it is unassigned.
    ///
    /// ```swift
    /// let greece = try await service.create(Country(id: "GR"), saving: .keep)
    /// ```
    ///
    /// - Returns: The value with its ID.
    @discardableResult
    public func create<E: Entity>(
        _ value: E, saving depth: SaveDepth, merging policy: MergePolicy = .throwing
    ) async throws -> E {
        try await run(.inserting(value, depth, policy))
    }
    /// Creates one from a value, whose ID is replaced by a new one if it is unassigned.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    @discardableResult
    public func create<E: Entity>(
        _ value: E, saving depth: SaveDepth, merging policy: MergePolicy = .throwing
    ) throws -> E {
        try run(.inserting(value, depth, policy))
    }

    /// Creates many by transforming source values, in one step.
    ///
    /// ```swift
    /// let created = try await service.create(User.self, from: lines, saving: .store) { line in
    ///     line.isEmpty ? nil : User(name: line)
    /// }
    /// print("\(created.values.count) new, \(created.refused.count) left out")
    /// ```
    ///
    /// - Parameters:
    ///   - entity: The type of the values.
    ///   - sources: Any sequence; iterated once.
    ///   - depth: How far the changes go.
    ///   - policy: How conflicts of the changes saved with them are resolved.
    ///   - transform: Makes a value from a source value. `nil`, or a thrown
    ///     ``TransformRefusal``, leaves out that one alone. Any other error ends the operation
    ///     without a change. Called before the store is used.
    /// - Returns: The new values, and the sources that were left out.
    @discardableResult
    public func create<E: Entity, Source: Sequence>(
        _ entity: E.Type, from sources: Source, saving depth: SaveDepth,
        merging policy: MergePolicy = .throwing,
        _ transform: (Source.Element) throws -> E?
    ) async throws -> Created<E> {
        let batch = try TransformedSources(sources, transform)
        return try await run(batch.creation(depth, policy))
    }
    /// Creates many by transforming source values, in one step.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    @discardableResult
    public func create<E: Entity, Source: Sequence>(
        _ entity: E.Type, from sources: Source, saving depth: SaveDepth,
        merging policy: MergePolicy = .throwing,
        _ transform: (Source.Element) throws -> E?
    ) throws -> Created<E> {
        let batch = try TransformedSources(sources, transform)
        return try run(batch.creation(depth, policy))
    }
}

extension ServiceChange where Value: Entity {
    static func creating(
        _ depth: SaveDepth, _ policy: MergePolicy,
        _ change: @escaping @Sendable (inout Value) throws -> Void
    ) -> ServiceChange where Value.RawID: GeneratedKey {
        ServiceChange(ServiceOperation(.create, of: Value.self), merging: policy) { context in
            let object = try Value.create(in: context, change)
            return (try object.valueAfterHooks(in: context), depth)
        }
    }

    static func inserting(
        _ value: Value, _ depth: SaveDepth, _ policy: MergePolicy
    ) -> ServiceChange {
        ServiceChange(ServiceOperation(.create, of: Value.self), merging: policy) { context in
            let object = try Value.insert(value, in: context)
            return (try object.valueAfterHooks(in: context), depth)
        }
    }
}

extension Managed {
    /// The value as it is stored, with what hooks have changed in it.
    fileprivate func valueAfterHooks(in context: WriteContext) throws -> E {
        try context.bringPending()
        return value
    }
}

/// Source values that were transformed, and those that were refused.
private struct TransformedSources<E: Entity>: Sendable {
    private var values: [E] = []
    private var refused: [RefusedSource] = []

    init<Source: Sequence>(
        _ sources: Source, _ transform: (Source.Element) throws -> E?
    ) throws {
        for (index, source) in sources.enumerated() {
            do {
                if let value = try transform(source) {
                    values.append(value)
                } else {
                    refused.append(RefusedSource(index: index, reason: nil))
                }
            } catch let refusal as TransformRefusal {
                refused.append(RefusedSource(index: index, reason: refusal.reason))
            }
        }
    }

    func creation(_ depth: SaveDepth, _ policy: MergePolicy) -> ServiceChange<Created<E>> {
        ServiceChange(ServiceOperation(.create, of: E.self), merging: policy) { context in
            let objects = try values.map { try E.insert($0, in: context) }
            try context.bringPending()
            return (Created(values: objects.map(\.value), refused: refused), depth)
        }
    }
}
