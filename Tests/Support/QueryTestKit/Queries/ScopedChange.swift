import Foundation
package import Skiathos

/// A change of several closures, which is undone once it was compared.
package struct ScopedChange: Sendable {
    /// What it does.
    package let text: String
    /// Carries it out; the number of its rows, and what the rows hold afterwards.
    let run: @Sendable (WriteContext) throws -> (count: Int, rows: [[Datum]])
    let expected: (count: Int, rows: [[Datum]])

    private struct Undone: Error {}

    /// Carries it out, and undoes it.
    package func outcome(in context: WriteContext) -> Outcome {
        Outcome(text) {
            var difference: String?
            do {
                try context.nested { context in
                    let found = try run(context)
                    if found.count != expected.count || found.rows != expected.rows {
                        difference =
                            "expected \(expected.count) of \(expected.rows)\n  found    \(found.count) of \(found.rows)"
                    }
                    throw Undone()
                }
            } catch is Undone {
                // As before.
            }
            return difference
        }
    }
}

extension ScopedQueries {
    /// Another change.
    package mutating func nextChange() -> ScopedChange {
        generator.begin()
        let entity: any ScopeEntity.Type = generator.pick(
            [Person.self, Team.self] as [any ScopeEntity.Type])
        return generator.happens(70) ? updated(entity) : deleted(entity)
    }

    /// Sets a number and a reference.
    ///
    /// Both are computed of all rows as they were.
    private mutating func updated<E: ScopeEntity>(_ entity: E.Type) -> ScopedChange {
        let scope = scope(of: E.self)
        let (chosen, query, text) = changed(E.self)
        let (field, boss) = (generator.pick(E.fields.numbers), generator.pick(E.fields.persons))
        let number = RemainderNode(operand: generator.operand(Int.self, scope, 3), divisor: 10)
        let reference = generator.operand(Person.ID?.self, scope, 2)
        let (rows, ids) = (E.rows(in: world), Set(chosen))
        let expected = rows.indices.map { row in
            ids.contains(row)
                ? [number.value(world, [row]).datum, reference.value(world, [row]).datum]
                : [rows[row][keyPath: field.path].datum, rows[row][keyPath: boss.path].datum]
        }
        let numbered: @Sendable (E.Columns) -> ColumnExpression<E, Int> = closure(number)
        let referred: @Sendable (E.Columns) -> ColumnExpression<E, Person.ID?> = closure(reference)
        return ScopedChange(
            text: "\(text).update{\(field.name) = \(number), \(boss.name) = \(reference)}",
            run: { context in
                let count = try query.update(
                    set: {
                        field.column($0).set(to: numbered($0))
                        boss.column($0).set(to: referred($0))
                    }, in: context)
                let rows = try E.order { E.key.column($0) }
                    .select { (field.column($0), boss.column($0)) }.all(in: context)
                return (count, rows.map { [$0.0.datum, $0.1.datum] })
            }, expected: (chosen.count, expected))
    }

    private mutating func deleted<E: ScopeEntity>(_ entity: E.Type) -> ScopedChange {
        let (chosen, query, text) = changed(E.self)
        let left = E.rows(in: world).indices.filter { !chosen.contains($0) }
        return ScopedChange(
            text: "\(text).deleteAll",
            run: { context in
                let count = try query.deleteAll(in: context)
                let ids = try E.order { E.key.column($0) }.ids(in: context)
                return (count, ids.map { [$0.datum] })
            }, expected: (chosen.count, left.map { [id(E.self, $0)] }))
    }

    /// The rows that a change is about.
    private mutating func changed<E: ScopeEntity>(
        _ entity: E.Type
    ) -> (rows: [Int], query: Query<E>, text: String) {
        let scope = scope(of: E.self)
        let test = test(scope, 3)
        let found = rows(E.self, test)
        guard generator.happens(30) else {
            return (found, E.where(closure(test)), "\(E.self).where{\(test)}")
        }
        let (key, limit) = (sortKey(scope, E.self), generator.below(5) + 1)
        let query = E.where(closure(test)).order { key.ordering($0) }.limit(limit)
        return (
            Array(sorted(found, [key]).prefix(limit)), query,
            "\(E.self).where{\(test)}.order{\(key.text)}.limit(\(limit))"
        )
    }
}
