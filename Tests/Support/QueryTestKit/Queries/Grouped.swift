import Foundation
import Skiathos

/// Queries for groups of rows.
extension ScopedQueries {
    mutating func grouped<E: ScopeEntity>(_ entity: E.Type) -> ScopedQuery {
        switch generator.below(4) {
        case 0 where scope(of: E.self).has(String.self): grouped(E.self, String.self)
        case 1 where scope(of: E.self).has(Bool.self): grouped(E.self, Bool.self)
        case 2 where scope(of: E.self).has(Person.ID?.self): grouped(E.self, Person.ID?.self)
        default: grouped(E.self, Int.self)
        }
    }

    /// Aggregates of what is computed from each row of a group, and queries of their own that use the
    /// key, as results and in the condition of the groups.
    private mutating func grouped<E: ScopeEntity, K: ScopeValue>(
        _ entity: E.Type, _ type: K.Type
    ) -> ScopedQuery {
        let scope = scope(of: E.self)
        let field = generator.pick(K.fields(of: E.self))
        let key = ColumnNode(row: 0, field: field)
        let group = scope.grouped(by: [field.name])
        let test = generator.test(scope, 2)
        let operand = generator.operand(Int.self, scope, 3)
        let having = counted(group, E.self)
        let value =
            generator.queried(group, 3, QuerySumForm()) ?? counted(group, E.self)
        let limit = generator.values.number()
        let isDescending = generator.happens(50)
        let (most, offset) = (generator.happens(20) ? 2 : nil, generator.happens(20) ? 1 : 0)
        let groups = Dictionary(grouping: rows(E.self, test)) { key.value(world, [$0]).datum }
            .filter { !$0.value.isEmpty && having.value(world, [$0.value[0]]) >= limit }
        let expected = groups.keys.sorted { $0 != $1 && $0.precedes($1) != isDescending }
            .map { datum in
                let rows = groups[datum] ?? []
                let found = rows.map { operand.value(world, [$0]) }
                return [
                    datum, rows.count.datum, found.reduce(0, +).datum, found.max().datum,
                    value.value(world, [rows[0]]).datum,
                ]
            }
        let shown = Array(expected.dropFirst(offset).prefix(most ?? .max))
        let native: @Sendable (E.Columns) -> ColumnExpression<E, Int> = closure(operand)
        let result: @Sendable (E.Columns) -> ColumnExpression<E, Int> = closure(value)
        let least: @Sendable (E.Columns) -> ColumnExpression<E, Int> = closure(having)
        let selection = E.where(closure(test)).grouped { field.column($0) }
            .having { least($0) >= limit }
            .order {
                isDescending ? field.column($0).descending : field.column($0).ascending
            }
            .limit(most).offset(offset)
            .select { columns in
                let operand = native(columns)
                return (
                    E.key.column(columns).count, operand.sum, operand.max, result(columns)
                )
            }
            .map { row in
                let (count, sum, most, value) = row.value
                return [row.key.datum, count.datum, sum.datum, most.datum, value.datum]
            }
        return ScopedQuery(
            text:
                "\(E.self).where{\(test)}.grouped{\(key)}.having{\(having) >= \(limit)}.select{(count, \(operand).sum, max, \(value))}\(isDescending ? " desc" : "")",
            expected: shown, isOrdered: true, forms: [{ try selection.all(in: $0) }])
    }

    /// The number of rows of a query that may use the key of a group.
    private mutating func counted<E: ScopeEntity>(
        _ group: Scope, _ entity: E.Type
    ) -> any OperandNode<Int> {
        generator.begin()
        return generator.queried(group, 3, QueryCountForm())
            ?? QueryCountNode<E>(test: ConstantNode(isTrue: true))
    }
}
