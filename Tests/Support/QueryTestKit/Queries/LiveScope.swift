package import Skiathos

/// A query of several closures that is observed.
package struct LiveScope: Sendable {
    /// What it asks for.
    package let text: String
    private let rows: @Sendable (ScopeWorld) -> [[Datum]]
    private let values:
        @Sendable (DataAccessLayer, @Sendable ([[Datum]]) -> Void) async throws
            -> Void

    fileprivate init<E: ScopeEntity>(
        _ text: String, _ query: Query<E>, _ rows: @escaping @Sendable (ScopeWorld) -> [E]
    ) {
        self.text = text
        self.rows = { rows($0).map(Self.data) }
        values = { dal, receive in
            for try await rows in dal.observe(query) { receive(rows.map(Self.data)) }
        }
    }

    /// What Swift makes of all rows.
    package func expected(in world: ScopeWorld) -> [[Datum]] { rows(world) }

    /// Observes the query until the task is cancelled or the store closed.
    package func observe(
        _ dal: DataAccessLayer, _ receive: @Sendable ([[Datum]]) -> Void
    ) async throws { try await values(dal, receive) }

    private static func data<E: ScopeEntity>(_ row: E) -> [Datum] {
        [row.id.datum] + E.fields.numbers.map { row[keyPath: $0.path].datum }
    }
}

extension ScopedQueries {
    /// A query to observe.
    package mutating func nextLive() -> LiveScope {
        generator.begin()
        return live(generator.entity())
    }

    private mutating func live<E: ScopeEntity>(_ entity: E.Type) -> LiveScope {
        let scope = scope(of: E.self)
        let (test, key) = (test(scope, 3), sortKey(scope, E.self))
        let limit = generator.happens(30) ? generator.below(4) + 1 : nil
        let queries = self
        return LiveScope(
            "\(E.self).where{\(test)}.order{\(key.text)}.limit(\(limit ?? -1))",
            E.where(closure(test)).order { key.ordering($0) }.limit(limit)
        ) { world in
            var later = queries
            later.world = world
            let all = E.rows(in: world)
            return later.sorted(later.rows(E.self, test), [key]).prefix(limit ?? .max)
                .map { all[$0] }
        }
    }
}
