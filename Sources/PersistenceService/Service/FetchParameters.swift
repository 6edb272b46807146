public import SkiathosCore

/// Which rows of an entity are wanted, in which order, how many, and what is loaded with them.
///
/// ```swift
/// let page = FetchParameters<User>(
///     where: { $0.age >= 18 }, orderedBy: { [$0.lastname.ascending] }, limit: 20, offset: 40,
///     prefetching: { $0.prefetching(\.company) })
/// let users = try await service.fetch(page)
/// // SELECT … FROM "user" WHERE ("age" >= 18) ORDER BY "lastname", "id" LIMIT 20 OFFSET 40
/// ```
///
/// Mistakes in it, such as a negative limit, are thrown by whatever runs it.
public struct FetchParameters<E: Entity>: Sendable {
    /// The same as a query, which can be made more specific.
    public var query: Query<E>

    /// Takes a query.
    public init(_ query: Query<E>) { self.query = query }

    /// Takes the parts.
    ///
    /// - Parameters:
    ///   - condition: Which rows; all without one.
    ///   - order: The sort keys, the most important first.
    ///   - limit: The most rows, at least 0; all without one.
    ///   - offset: How many rows are passed over, at least 0.
    ///   - prefetch: Adds the relationships that are loaded together with the rows.
    public init(
        @ConditionBuilder<E> where condition: (E.Columns) -> Condition<E> = { _ in .always },
        @OrderBuilder<E> orderedBy order: (E.Columns) -> [Ordering<E>] = { _ in [] },
        limit: Int? = nil, offset: Int = 0,
        prefetching prefetch: (Query<E>) -> Query<E> = { $0 }
    ) {
        query = prefetch(E.where(condition).order(order).limit(limit).offset(offset))
    }
}
