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

    /// The row with an ID.
    ///
    /// - Returns: `nil` if the row has to be read after each change.
    init?<E: Entity>(of id: EntityID<E>, _ coordinator: AccessCoordinator) where Value == E? {
        guard coordinator.connections == .pool,
            let entity = coordinator.store.schema.position(of: E.self),
            let id = try? StoreValue(id, Coding.of(E.ID.self))
        else { return nil }
        changes = ListChanges(of: entity)
        next = { last, changes in
            guard let change = changes.last(where: { $0.before?[0] == id || $0.after?[0] == id })
            else { return nil }
            // Of a row whose ID has changed, nothing is left here.
            let after = change.after.flatMap { $0[0] == id ? $0 : nil }
            let row = try after.map { try E(committed: $0) }
            return areStoredAlike(last, row) ? nil : .some(row)
        }
    }
}

extension Entity {
    /// The row as a read of the store gives it, where zero has no sign.
    init(committed values: [StoreValue]) throws {
        self = try ValueRow(values.map { $0 == .real(0) ? .real(0) : $0 }).read {
            try Self(row: $0)
        }
    }
}
