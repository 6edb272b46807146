public import SkiathosCore
import SkiathosStore

/// Fetching; each comes in an asynchronous form, and in one that blocks the thread.
extension PersistenceService {
    /// The values of rows.
    ///
    /// ```swift
    /// let users = try await service.fetch(FetchParameters<User>(where: { $0.age >= 18 }, limit: 20))
    /// ```
    public func fetch<E: Entity>(_ parameters: FetchParameters<E>) async throws -> [E] {
        try await run(.fetching(parameters))
    }
    /// The values of rows.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    public func fetch<E: Entity>(_ parameters: FetchParameters<E>) throws -> [E] {
        try run(.fetching(parameters))
    }

    /// The values of rows.
    ///
    /// ```swift
    /// let adults = try await service.fetch(User.self, where: { $0.age >= 18 })
    /// // SELECT … FROM "user" WHERE ("age" >= 18)
    /// ```
    public func fetch<E: Entity>(
        _ entity: E.Type,
        @ConditionBuilder<E> where condition: (E.Columns) -> Condition<E> = { _ in .always },
        @OrderBuilder<E> orderedBy order: (E.Columns) -> [Ordering<E>] = { _ in [] },
        limit: Int? = nil,
        offset: Int = 0
    ) async throws -> [E] {
        try await fetch(
            FetchParameters(where: condition, orderedBy: order, limit: limit, offset: offset))
    }
    /// The values of rows.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    public func fetch<E: Entity>(
        _ entity: E.Type,
        @ConditionBuilder<E> where condition: (E.Columns) -> Condition<E> = { _ in .always },
        @OrderBuilder<E> orderedBy order: (E.Columns) -> [Ordering<E>] = { _ in [] },
        limit: Int? = nil,
        offset: Int = 0
    ) throws -> [E] {
        try fetch(
            FetchParameters(where: condition, orderedBy: order, limit: limit, offset: offset))
    }

    /// What a closure makes of the values of rows.
    ///
    /// ```swift
    /// let names = try await service.fetch(adults) { user, context in
    ///     (user.name, try user.related(\.company, in: context)?.name)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - parameters: The rows.
    ///   - transform: Makes an element of the result; its context is valid only inside it.
    public func fetch<E: Entity, T: Sendable>(
        _ parameters: FetchParameters<E>,
        transform: @escaping @Sendable (E, ReadContext) throws -> T
    ) async throws -> [T] {
        try await run(.fetching(parameters, transform))
    }

    /// What a closure makes of the values of rows.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    public func fetch<E: Entity, T: Sendable>(
        _ parameters: FetchParameters<E>,
        transform: @escaping @Sendable (E, ReadContext) throws -> T
    ) throws -> [T] {
        try run(.fetching(parameters, transform))
    }

    /// The values with these IDs in the order of the list, and the IDs for which there is none.
    public func fetch<E: Entity>(
        _ entity: E.Type, ids: [E.ID]
    ) async throws -> LookupResult<E, E.ID> {
        try await run(.fetching(ids))
    }
    /// The values with these IDs in the order of the list, and the IDs for which there is none.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    public func fetch<E: Entity>(_ entity: E.Type, ids: [E.ID]) throws -> LookupResult<E, E.ID> {
        try run(.fetching(ids))
    }

    /// The values with these IDs in the order of the list, all of them.
    ///
    /// - Throws: ``PersistenceServiceError`` with code `missingIDs` if any of them has no row.
    public func fetch<E: Entity>(_ entity: E.Type, allOf ids: [E.ID]) async throws -> [E] {
        try await run(.fetching(allOf: ids))
    }
    /// The values with these IDs in the order of the list, all of them.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    public func fetch<E: Entity>(_ entity: E.Type, allOf ids: [E.ID]) throws -> [E] {
        try run(.fetching(allOf: ids))
    }

    /// The number of rows, after the limit and the offset.
    public func count<E: Entity>(_ parameters: FetchParameters<E>) async throws -> Int {
        try await run(.counting(parameters))
    }
    /// The number of rows, after the limit and the offset.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    public func count<E: Entity>(_ parameters: FetchParameters<E>) throws -> Int {
        try run(.counting(parameters))
    }

    /// The number of rows.
    public func count<E: Entity>(
        _ entity: E.Type,
        @ConditionBuilder<E> where condition: (E.Columns) -> Condition<E> = { _ in .always }
    ) async throws -> Int {
        try await count(FetchParameters(where: condition))
    }
    /// The number of rows.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    public func count<E: Entity>(
        _ entity: E.Type,
        @ConditionBuilder<E> where condition: (E.Columns) -> Condition<E> = { _ in .always }
    ) throws -> Int {
        try count(FetchParameters(where: condition))
    }

    /// Whether there is any row.
    public func exists<E: Entity>(_ parameters: FetchParameters<E>) async throws -> Bool {
        try await run(.exists(parameters))
    }
    /// Whether there is any row.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    public func exists<E: Entity>(_ parameters: FetchParameters<E>) throws -> Bool {
        try run(.exists(parameters))
    }

    /// Whether there is any row.
    public func exists<E: Entity>(
        _ entity: E.Type,
        @ConditionBuilder<E> where condition: (E.Columns) -> Condition<E> = { _ in .always }
    ) async throws -> Bool {
        try await exists(FetchParameters(where: condition))
    }
    /// Whether there is any row.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    public func exists<E: Entity>(
        _ entity: E.Type,
        @ConditionBuilder<E> where condition: (E.Columns) -> Condition<E> = { _ in .always }
    ) throws -> Bool {
        try exists(FetchParameters(where: condition))
    }

    /// Returns the result of a closure that reads what the service sees.
    ///
    /// ```swift
    /// let oldest = try await service.read { try User.max(of: { $0.age }, in: $0) }
    /// ```
    ///
    /// - Parameter body: Its context is valid only inside it.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (ReadContext) throws -> T
    ) async throws -> T {
        try await run(ServiceQuery(ServiceOperation(.read), body))
    }
    /// Returns the result of a closure that reads what the service sees.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (ReadContext) throws -> T
    ) throws -> T {
        try run(ServiceQuery(ServiceOperation(.read), body))
    }
}

extension ServiceQuery {
    static func fetching<E: Entity>(_ parameters: FetchParameters<E>) -> ServiceQuery
    where Value == [E] {
        ServiceQuery(ServiceOperation(.fetch, of: E.self)) { try parameters.query.all(in: $0) }
    }

    static func fetching<E: Entity, T>(
        _ parameters: FetchParameters<E>,
        _ transform: @escaping @Sendable (E, ReadContext) throws -> T
    ) -> ServiceQuery where Value == [T] {
        ServiceQuery(ServiceOperation(.fetch, of: E.self)) { context in
            try parameters.query.all(in: context).map { try transform($0, context) }
        }
    }

    static func fetching<E: Entity>(_ ids: [E.ID]) -> ServiceQuery
    where Value == LookupResult<E, E.ID> {
        ServiceQuery(ServiceOperation(.fetch, of: E.self)) { try E.find(ids, in: $0) }
    }

    static func fetching<E: Entity>(allOf ids: [E.ID]) -> ServiceQuery where Value == [E] {
        ServiceQuery(ServiceOperation(.fetch, of: E.self)) { context in
            let result = try E.find(ids, in: context)
            try PersistenceServiceError.requireNone(result.missing, of: E.self)
            return result.found
        }
    }

    static func counting<E: Entity>(_ parameters: FetchParameters<E>) -> ServiceQuery
    where Value == Int {
        ServiceQuery(ServiceOperation(.count, of: E.self)) { try parameters.query.count(in: $0) }
    }

    static func exists<E: Entity>(_ parameters: FetchParameters<E>) -> ServiceQuery
    where Value == Bool {
        ServiceQuery(ServiceOperation(.exists, of: E.self)) { try parameters.query.exists(in: $0) }
    }
}

extension PersistenceServiceError {
    /// Throws if IDs are missing.
    static func requireNone<E: Entity>(_ missing: [E.ID], of entity: E.Type) throws {
        guard !missing.isEmpty else { return }
        var error = PersistenceServiceError(
            .missingIDs,
            "\(missing.count) of the IDs of \(E.schema.typeName) have no row, so nothing was done. They are in missingIDs of this error; leave them out, or allow that some are missing."
        )
        error.missingIDs = missing
        throw error
    }
}
