import SkiathosStore

/// How a value of an observed query follows from the one before.
struct ValueSuccession<Value: Sendable>: Sendable {
    /// What has changed since the last value.
    let changes: ListChanges
    /// Computes a value from the one before and the rows that were changed since; `nil` for the same.
    ///
    /// It throws where only a read can tell the value.
    let next: @Sendable (Value, [ChangedRow]) throws -> Value?
}

extension ValueSuccession {
    /// - Returns: `nil` for a query that has to be read after each change.
    init?<E: Entity>(of query: Query<E>, _ coordinator: AccessCoordinator) where Value == [E] {
        // With one connection, a read may see writes that are not committed yet.
        guard coordinator.connections == .pool,
            let rules = ListRules(query, in: coordinator.store.schema)
        else { return nil }
        changes = ListChanges(of: rules.entity)
        next = { try ListComputation.list($0, after: $1, rules) }
    }
}
