import Foundation
import Skiathos

/// Queries for the position of rows among others.
extension ScopedQueries {
    mutating func ranked<E: ScopeEntity>(_ entity: E.Type) -> ScopedQuery {
        let scope = scope(of: E.self)
        let test = generator.test(scope, 2)
        let key = sortKey(scope, E.self)
        let part = RemainderNode(operand: generator.operand(Int.self, scope, 2), divisor: 2)
        let operand = generator.operand(Int.self, scope, 2)
        let optional = generator.operand(Int?.self, scope, 2)
        // All rows together, or those that are equal in something.
        let isWhole = generator.happens(30)
        let chosen = rows(E.self, test)
        let parts = Dictionary(grouping: chosen) { isWhole ? 0 : part.value(world, [$0]) }.mapValues
        {
            sorted($0, [key])
        }
        let expected = chosen.map { row -> [Datum] in
            let among = parts[isWhole ? 0 : part.value(world, [row])] ?? []
            let (place, own) = (among.firstIndex(of: row) ?? 0, key.datum(world, [row]))
            let before = among.prefix(place).map { key.datum(world, [$0]) }.filter { $0 != own }
            let optionals = among.map { optional.value(world, [$0]) }
            let values = among.map { operand.value(world, [$0]) }
            return [
                id(E.self, row), (before.count + 1).datum, (Set(before).count + 1).datum,
                (place + 1).datum, values.reduce(0, +).datum,
                values.prefix(place + 1).reduce(0, +).datum,
                (place > 0 ? optionals[place - 1] : nil).datum,
                (place > 1 ? values[place - 2] : nil).datum,
                (place + 1 < values.count ? values[place + 1] : nil).datum,
                (place + 1 < values.count ? optionals[place + 1] : nil).datum,
            ]
        }
        let ordering = key.ordering
        let parted: (E.Columns) -> ColumnExpression<E, Int> = closure(part)
        let missing: (E.Columns) -> ColumnExpression<E, Int?> = closure(optional)
        let native: (E.Columns) -> ColumnExpression<E, Int> = closure(operand)
        let selection = E.where(closure(test)).select { columns in
            let (key, operand) = (ordering(columns), native(columns))
            let part: Partition<E> = isWhole ? .all : .by(parted(columns))
            return (
                E.key.column(columns), key.rank(within: part), key.denseRank(within: part),
                key.rowNumber(within: part), operand.sum.total(within: part),
                operand.sum.running(by: key, within: part),
                missing(columns).previous(by: key, within: part),
                operand.previous(2, by: key, within: part), operand.next(by: key, within: part),
                missing(columns).next(by: key, within: part)
            )
        }
        let mapped = selection.map { row in
            [
                row.0.datum, row.1.datum, row.2.datum, row.3.datum, row.4.datum, row.5.datum,
                row.6.datum, row.7.datum, row.8.datum, row.9.datum,
            ]
        }
        return ScopedQuery(
            text:
                "\(E.self).where{\(test)}.select{(id, {\(key.text)}.rank.denseRank.rowNumber, {\(operand)}.total.running.next, {\(optional)}.previous, within: \(isWhole ? ".all" : ".by(\(part))"))}",
            expected: expected, isOrdered: false, forms: [{ try mapped.all(in: $0) }])
    }
}
