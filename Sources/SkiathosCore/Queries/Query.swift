public import SkiathosStore

/// A selection of rows of an entity, in an order and a number: a value that can be stored,
/// combined and run any number of times.
///
/// ```swift
/// let adults = User.where { $0.age >= 18 }.order { $0.lastname.ascending }
/// let page = try await dal.read { try adults.limit(20).all(in: $0) }
/// let count = try await dal.read { try adults.count(in: $0) }
/// // SELECT … FROM "user" WHERE ("age" >= 18) ORDER BY "lastname", "id" LIMIT 20
/// // SELECT count(*) FROM "user" WHERE ("age" >= 18)
/// ```
///
/// Mistakes in it, such as a negative limit or a comparison with NaN, are thrown when it is
/// run, before any SQL.
public struct Query<E: Entity>: Sendable {
    /// The condition of the rows.
    @usableFromInline var condition: Condition<E>
    /// The sort keys.
    @usableFromInline var orderings: [Ordering<E>]
    @usableFromInline var rowLimit: Int?
    @usableFromInline var rowOffset: Int
    /// The relationships that are loaded together with the rows.
    @usableFromInline var prefetches: [Prefetch<E>] = []

    /// The rows that meet a condition, in an order, and no more than a limit after an offset.
    @inlinable
    init(
        _ condition: Condition<E> = .always, order: [Ordering<E>] = [], limit: Int? = nil,
        offset: Int = 0
    ) {
        self.condition = condition
        orderings = order
        rowLimit = limit
        rowOffset = offset
    }

    /// The rows that also meet another condition, or several.
    ///
    /// - Throws: when the query is run, `DataAccessError` with code `invalidRequest` if it had a limit or
    ///   an offset already: the condition would choose before them. ``intersection(_:)`` chooses among
    ///   limited rows.
    @inlinable
    public func `where`(@ConditionBuilder<E> _ condition: (E.Columns) -> Condition<E>) -> Query {
        let other = RowClosure.run(E.self, condition)
        return with { $0.condition = $0.isLimited ? $0.refused(.where) : $0.condition && other }
    }

    /// The rows that this query or another one selects, in the order and number of this one.
    ///
    /// The order of the other one does not count, and its limit and offset must not be set.
    public func or(_ other: Query) -> Query {
        with {
            $0.condition = $0.condition || other.condition
            guard other.rowLimit != nil || other.rowOffset != 0 else { return }
            $0.condition = Condition(
                .failure(
                    DataAccessError(
                        .invalidRequest,
                        "A query of \(E.schema.typeName) is combined with one that has a limit or an offset, which cannot be kept. Set them on the combined query."
                    )))
        }
    }

    /// Sorts by one key or several, the most important first, after the existing keys of the
    /// query.
    ///
    /// ```swift
    /// User.where { $0.isGuest }.order { $0.lastname }                     // ORDER BY "lastname"
    /// User.query.order { [$0.age.descending, $0.lastname.ascending] }
    /// // ORDER BY "age" DESC, "lastname"
    /// ```
    ///
    /// - Throws: when the query is run, `DataAccessError` with code `invalidRequest` if it had a limit or
    ///   an offset already: the keys would sort before them. `User.query.intersection(limited)` can be
    ///   sorted again.
    @inlinable
    public func order(@OrderBuilder<E> _ keys: (E.Columns) -> [Ordering<E>]) -> Query {
        let keys = RowClosure.run(E.self, keys)
        return with {
            $0.orderings.add(keys)
            if $0.isLimited, !keys.isEmpty { $0.condition = $0.refused(.order) }
        }
    }

    /// Returns at most this many rows, at least 0.
    ///
    /// With a limit or an offset and no sort key, rows come in the order of their IDs. `nil` takes an
    /// earlier limit back.
    @inlinable public func limit(_ count: Int?) -> Query { with { $0.rowLimit = count } }

    /// Skips this many rows, at least 0.
    @inlinable public func offset(_ count: Int) -> Query { with { $0.rowOffset = count } }

    @inlinable
    func with(_ change: (inout Query) -> Void) -> Query {
        var copy = self
        change(&copy)
        return copy
    }
}

extension Entity {
    /// All rows, as a query.
    @inlinable public static var query: Query<Self> { Query() }

    /// The rows that meet a condition, or several, as a query.
    ///
    /// ```swift
    /// let adults = User.where { $0.age >= 18 }
    /// let found = User.where {
    ///     $0.isGuest
    ///     if let city { $0.city == city }
    /// }
    /// ```
    @inlinable
    public static func `where`(
        @ConditionBuilder<Self> _ condition: (Columns) -> Condition<Self>
    ) -> Query<Self> {
        Query(RowClosure.run(Self.self, condition))
    }

    /// All rows in an order, as a query.
    @inlinable
    public static func order(
        @OrderBuilder<Self> _ keys: (Columns) -> [Ordering<Self>]
    ) -> Query<Self> {
        Query().order(keys)
    }
}

extension Query {
    /// The request for the store of a context.
    func request(in context: some QueryContext) throws -> FetchRequest {
        try request(at: try context.position(of: E.self))
    }

    /// The request for the entity at a position of a schema.
    @inlinable
    func request(at position: Int) throws -> FetchRequest {
        var request = try FetchRequest(
            entity: position, condition: condition.predicate, limit: rowLimit, offset: rowOffset)
        if !orderings.isEmpty { request.order = try orderings.map { try $0.order.get() } }
        return request
    }
}

extension FetchRequest {
    /// The request of a query without sort keys.
    @usableFromInline
    init(
        entity: Int, condition: Result<StorePredicate, any Error>, limit: Int?, offset: Int
    ) throws {
        if let limit, limit < 0 { throw Self.negative("limit", limit) }
        if offset < 0 { throw Self.negative("offset", offset) }
        var predicate: StorePredicate? = try condition.get()
        if case .constant(true) = predicate { predicate = nil }
        self.init(entity: entity, predicate: predicate, limit: limit, offset: offset)
    }

    private static func negative(_ name: String, _ value: Int) -> DataAccessError {
        DataAccessError(.invalidRequest, "The \(name) is \(value); it cannot be negative.")
    }
}
