public import SkiathosCore

/// Selects rows of an entity: condition, order, limit, offset and prefetched relationships.
///
/// ```swift
/// let page = FetchParameters<User>(
///     where: { $0.age >= 18 }, orderedBy: { [$0.lastname.ascending] }, limit: 20, offset: 40,
///     prefetching: { $0.prefetching(\.company) })
/// let users = try await service.fetch(page)
/// // SELECT … FROM "user" WHERE ("age" >= 18) ORDER BY "lastname", "id" LIMIT 20 OFFSET 40
/// ```
///
/// Mistakes, such as a negative limit, are thrown by the operation that runs the query.
public struct FetchParameters<E: Entity>: Sendable {
    /// The same as a query, which can be made more specific.
    public var query: Query<E>

    /// Makes parameters from a query.
    public init(_ query: Query<E>) { self.query = query }

    /// Makes parameters from their parts.
    ///
    /// - Parameters:
    ///   - condition: Selects the rows; without it all rows.
    ///   - order: The sort keys, the most important first.
    ///   - limit: The largest number of rows, at least 0; without it all rows.
    ///   - offset: How many rows are skipped, at least 0.
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
