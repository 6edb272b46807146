import SkiathosStore

/// Queries as sets of rows.
///
/// The result is a query like any other: it is sorted, limited, counted, observed and changed
/// in the same way. The order of both parts counts only for their own limits and offsets.
extension Query {
    /// The rows of this query and those of another one, each once.
    ///
    /// ```swift
    /// let oldest = User.order { $0.age.descending }.limit(3)
    /// let newest = User.order { $0.joined.descending }.limit(3)
    /// try oldest.union(newest).order { $0.lastname.ascending }.all(in: context)
    /// // … WHERE ("id" IN (SELECT … ORDER BY "age" DESC … LIMIT 3) OR "id" IN (SELECT …)) ORDER BY …
    /// ```
    public func union(_ other: Query) -> Query { replacingRows { $0.member || other.member } }

    /// The rows of this query that are rows of another one, too.
    public func intersection(_ other: Query) -> Query {
        replacingRows { $0.member && other.member }
    }

    /// The rows of this query that are not rows of another one.
    ///
    /// ```swift
    /// try User.query.subtracting(oldest).deleteAll(in: context)
    /// ```
    public func subtracting(_ other: Query) -> Query {
        replacingRows { $0.member && !other.member }
    }

    private func replacingRows(_ condition: (Query) -> Condition<E>) -> Query {
        var query = Query(condition(self))
        query.prefetches = prefetches
        return query
    }

    /// A row is one of those of the query.
    private var member: Condition<E> {
        guard rowLimit != nil || rowOffset != 0 else { return condition }
        return Condition(
            Result {
                // The position of the entity makes no difference to the rest.
                let request = try request(at: 0)
                return .among(
                    StoreRows(
                        where: request.predicate, order: request.order, limit: request.limit,
                        offset: request.offset))
            })
    }
}
