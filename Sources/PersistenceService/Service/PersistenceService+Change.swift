public import SkiathosCore

/// What an update or delete by ID does if some IDs have no row.
public enum MissingRows: Sendable, Hashable, CaseIterable {
    /// The operation does nothing and throws an error with the code `missingIDs`.
    case refused
    /// The others are changed or deleted, and the missing ones are returned.
    case leftOut
}

/// Updating and deleting; each comes in an asynchronous form, and in one that blocks the thread.
extension PersistenceService {
    /// Changes the rows that parameters name, as objects.
    ///
    /// ```swift
    /// try await service.update(FetchParameters<User>(where: { $0.age >= 65 })) { users, _ in
    ///     for user in users { user.isRetired = true }
    ///     return .keep
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - parameters: Which rows.
    ///   - name: The name of the step for undoing it.
    ///   - policy: How conflicts are resolved if the closure returns a depth that saves.
    ///   - change: Gets the tracked objects and the context of a write, which are valid only
    ///     inside it, and returns how far the changes go. If it throws, its changes are rolled
    ///     back, and earlier pending changes stay. Raw SQL is refused in it.
    public func update<E: Entity>(
        _ parameters: FetchParameters<E>, named name: String? = nil,
        merging policy: MergePolicy = .throwing,
        _ change: @escaping @Sendable ([Managed<E>], WriteContext) throws -> SaveDepth
    ) async throws {
        try await run(.updating(parameters, name, policy, change))
    }
    /// Changes the rows that parameters name, as objects.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    public func update<E: Entity>(
        _ parameters: FetchParameters<E>, named name: String? = nil,
        merging policy: MergePolicy = .throwing,
        _ change: @escaping @Sendable ([Managed<E>], WriteContext) throws -> SaveDepth
    ) throws {
        try run(.updating(parameters, name, policy, change))
    }

    /// Changes the rows that a condition names, as objects.
    public func update<E: Entity>(
        _ entity: E.Type,
        @ConditionBuilder<E> where condition: (E.Columns) -> Condition<E> = { _ in .always },
        named name: String? = nil, merging policy: MergePolicy = .throwing,
        _ change: @escaping @Sendable ([Managed<E>], WriteContext) throws -> SaveDepth
    ) async throws {
        try await update(
            FetchParameters(where: condition), named: name, merging: policy, change)
    }
    /// Changes the rows that a condition names, as objects.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    public func update<E: Entity>(
        _ entity: E.Type,
        @ConditionBuilder<E> where condition: (E.Columns) -> Condition<E> = { _ in .always },
        named name: String? = nil, merging policy: MergePolicy = .throwing,
        _ change: @escaping @Sendable ([Managed<E>], WriteContext) throws -> SaveDepth
    ) throws {
        try update(FetchParameters(where: condition), named: name, merging: policy, change)
    }

    /// Changes the rows with these IDs, as objects.
    ///
    /// - Parameters:
    ///   - entity: The type of the rows.
    ///   - ids: The IDs of the rows.
    ///   - missing: What happens if some IDs have no row. The closure gets a part of the list
    ///     only if this allows it.
    ///   - name: The name of the change, by which it is undone.
    ///   - policy: How conflicts of the changes saved with it are resolved.
    ///   - change: Changes the objects, and returns how far the changes go.
    /// - Returns: The IDs without a row, if they may be left out.
    /// - Throws: ``PersistenceServiceError`` with code `missingIDs`, before the closure is called.
    @discardableResult
    public func update<E: Entity>(
        _ entity: E.Type, ids: [E.ID], missing: MissingRows = .refused, named name: String? = nil,
        merging policy: MergePolicy = .throwing,
        _ change: @escaping @Sendable ([Managed<E>], WriteContext) throws -> SaveDepth
    ) async throws -> [E.ID] {
        try await run(.updating(ids, missing, name, policy, change))
    }
    /// Changes the rows with these IDs, as objects.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    @discardableResult
    public func update<E: Entity>(
        _ entity: E.Type, ids: [E.ID], missing: MissingRows = .refused, named name: String? = nil,
        merging policy: MergePolicy = .throwing,
        _ change: @escaping @Sendable ([Managed<E>], WriteContext) throws -> SaveDepth
    ) throws -> [E.ID] {
        try run(.updating(ids, missing, name, policy, change))
    }

    /// Deletes the rows that parameters name; returns how many there were.
    ///
    /// ```swift
    /// try await service.delete(FetchParameters<User>(where: { $0.age > 99 }), saving: .store)
    /// ```
    @discardableResult
    public func delete<E: Entity>(
        _ parameters: FetchParameters<E>, saving depth: SaveDepth,
        merging policy: MergePolicy = .throwing
    ) async throws -> Int {
        try await run(.deleting(parameters, depth, policy))
    }
    /// Deletes the rows that parameters name; returns how many there were.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    @discardableResult
    public func delete<E: Entity>(
        _ parameters: FetchParameters<E>, saving depth: SaveDepth,
        merging policy: MergePolicy = .throwing
    ) throws -> Int {
        try run(.deleting(parameters, depth, policy))
    }

    /// Deletes the rows that a condition names; returns how many there were.
    ///
    /// ```swift
    /// let count = try await service.delete(User.self, where: { $0.age > 99 }, saving: .store)
    /// ```
    ///
    /// The condition selects among the rows that the service sees, pending ones included. A
    /// pending row that was never saved is gone without a trace. Hooks and delete rules apply to
    /// each row, and the rows that a rule deletes with them are not counted. The condition must
    /// be given: `{ _ in .always }` deletes all rows.
    ///
    /// - Parameters:
    ///   - entity: The type of the rows.
    ///   - condition: Selects the rows.
    ///   - depth: How far the deletions go.
    ///   - policy: How conflicts of the changes saved with them are resolved.
    /// - Returns: How many rows the condition has selected, all of which are deleted.
    /// - Throws: What a save throws, such as `StoreError` for a row that must not be deleted
    ///   while others refer to it; nothing is deleted then.
    @discardableResult
    public func delete<E: Entity>(
        _ entity: E.Type, @ConditionBuilder<E> where condition: (E.Columns) -> Condition<E>,
        saving depth: SaveDepth, merging policy: MergePolicy = .throwing
    ) async throws -> Int {
        try await delete(FetchParameters(where: condition), saving: depth, merging: policy)
    }
    /// Deletes the rows that a condition names; returns how many there were.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    @discardableResult
    public func delete<E: Entity>(
        _ entity: E.Type, @ConditionBuilder<E> where condition: (E.Columns) -> Condition<E>,
        saving depth: SaveDepth, merging policy: MergePolicy = .throwing
    ) throws -> Int {
        try delete(FetchParameters(where: condition), saving: depth, merging: policy)
    }

    /// Deletes the rows with these IDs, all of which are looked up first.
    ///
    /// - Returns: The IDs without a row, if they may be left out.
    /// - Throws: ``PersistenceServiceError`` with code `missingIDs` and nothing deleted.
    @discardableResult
    public func delete<E: Entity>(
        _ entity: E.Type, ids: [E.ID], missing: MissingRows = .refused, saving depth: SaveDepth,
        merging policy: MergePolicy = .throwing
    ) async throws -> [E.ID] {
        try await run(.deleting(ids, missing, depth, policy))
    }
    /// Deletes the rows with these IDs, all of which are looked up first.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    @discardableResult
    public func delete<E: Entity>(
        _ entity: E.Type, ids: [E.ID], missing: MissingRows = .refused, saving depth: SaveDepth,
        merging policy: MergePolicy = .throwing
    ) throws -> [E.ID] {
        try run(.deleting(ids, missing, depth, policy))
    }

    /// Makes changes of any kind, with the context of a write.
    ///
    /// ```swift
    /// try await form.change("add author") { context in
    ///     let ada = try User.create(in: context) { $0.name = "Ada" }
    ///     return (ada.id, .keep)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the change, by which it is undone.
    ///   - policy: How conflicts of the changes saved with it are resolved.
    ///   - body: Returns a value, and how far the changes go.
    @discardableResult
    public func change<T: Sendable>(
        _ name: String? = nil, merging policy: MergePolicy = .throwing,
        _ body: @escaping @Sendable (WriteContext) throws -> (T, SaveDepth)
    ) async throws -> T {
        try await run(ServiceChange(ServiceOperation(.change, name: name), merging: policy, body))
    }
    /// Makes changes of any kind, with the context of a write.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    @discardableResult
    public func change<T: Sendable>(
        _ name: String? = nil, merging policy: MergePolicy = .throwing,
        _ body: @escaping @Sendable (WriteContext) throws -> (T, SaveDepth)
    ) throws -> T {
        try run(ServiceChange(ServiceOperation(.change, name: name), merging: policy, body))
    }
}

extension ServiceChange {
    static func updating<E: Entity>(
        _ parameters: FetchParameters<E>, _ name: String?, _ policy: MergePolicy,
        _ change: @escaping @Sendable ([Managed<E>], WriteContext) throws -> SaveDepth
    ) -> ServiceChange where Value == Void {
        ServiceChange(ServiceOperation(.update, of: E.self, name: name), merging: policy) {
            ((), try change(try parameters.query.all(in: $0), $0))
        }
    }

    static func updating<E: Entity>(
        _ ids: [E.ID], _ missing: MissingRows, _ name: String?, _ policy: MergePolicy,
        _ change: @escaping @Sendable ([Managed<E>], WriteContext) throws -> SaveDepth
    ) -> ServiceChange where Value == [E.ID] {
        ServiceChange(ServiceOperation(.update, of: E.self, name: name), merging: policy) {
            let result = try E.find(ids, in: $0)
            if missing == .refused {
                try PersistenceServiceError.requireNone(result.missing, of: E.self)
            }
            return (result.missing, try change(result.found, $0))
        }
    }

    static func deleting<E: Entity>(
        _ parameters: FetchParameters<E>, _ depth: SaveDepth, _ policy: MergePolicy
    ) -> ServiceChange where Value == Int {
        ServiceChange(ServiceOperation(.delete, of: E.self), merging: policy) { context in
            let objects = try parameters.query.all(in: context)
            for object in objects { try object.delete() }
            return (objects.count, depth)
        }
    }

    static func deleting<E: Entity>(
        _ ids: [E.ID], _ missing: MissingRows, _ depth: SaveDepth, _ policy: MergePolicy
    ) -> ServiceChange where Value == [E.ID] {
        ServiceChange(ServiceOperation(.delete, of: E.self), merging: policy) { context in
            let result = try E.find(ids, in: context)
            if missing == .refused {
                try PersistenceServiceError.requireNone(result.missing, of: E.self)
            }
            for object in result.found { try object.delete() }
            return (result.missing, depth)
        }
    }
}
