import Foundation
import Skiathos

/// Queries for what is computed from rows.
extension ScopedQueries {
    /// Several results of each row, each once or as often as it comes.
    mutating func selected<E: ScopeEntity>(_ entity: E.Type) -> ScopedQuery {
        scope(of: E.self).has(String.self)
            ? selected(E.self, String.self, Decimal.self) : selected(E.self, Int.self, Date.self)
    }

    private mutating func selected<
        E: ScopeEntity, First: WrappedScopeValue, Second: WrappedScopeValue
    >(_ entity: E.Type, _ first: First.Type, _ second: Second.Type) -> ScopedQuery {
        let scope = scope(of: E.self)
        let test = generator.test(scope, 1)
        let one = generator.operand(First.self, scope, 2)
        let two = generator.operand(Int?.self, scope, 3)
        let three = generator.operand(Second.self, scope, 2)
        let isDistinct = generator.happens(30)
        var expected = rows(E.self, test).map { row in
            [
                one.value(world, [row]).datum, two.value(world, [row]).datum,
                three.value(world, [row]).datum,
            ]
        }
        let firstColumn: (E.Columns) -> ColumnExpression<E, First> = closure(one)
        let secondColumn: (E.Columns) -> ColumnExpression<E, Int?> = closure(two)
        let thirdColumn: (E.Columns) -> ColumnExpression<E, Second> = closure(three)
        var selection = E.where(closure(test)).select {
            (firstColumn($0), secondColumn($0), thirdColumn($0))
        }
        if isDistinct {
            selection = selection.distinct()
            expected = Array(Set(expected))
        }
        let mapped = selection.map { [$0.0.datum, $0.1.datum, $0.2.datum] }
        return ScopedQuery(
            text:
                "\(E.self).where{\(test)}.select{(\(one), \(two), \(three))}\(isDistinct ? ".distinct" : "")",
            expected: expected, isOrdered: false, forms: [{ try mapped.all(in: $0) }])
    }

    /// The results of selections of two entities, or of two and one more.
    mutating func joined<E: ScopeEntity, F: ScopeEntity>(
        _ entity: E.Type, _ other: F.Type
    ) -> ScopedQuery {
        let (left, right) = (pair(E.self), pair(F.self))
        let third = generator.happens(30) ? pair(Person.self) : nil
        let (isDistinct, isDescending) = (generator.happens(50), generator.happens(50))
        let isThirdDistinct = generator.happens(50)
        let offset = generator.happens(20) ? 1 : 0
        var expected = left.rows + right.rows
        if isDistinct { expected = Array(Set(expected)) }
        var union =
            isDistinct
            ? left.selection.union(right.selection) : left.selection.unionAll(right.selection)
        if let third {
            expected += third.rows
            if isThirdDistinct { expected = Array(Set(expected)) }
            union =
                isThirdDistinct ? union.union(third.selection) : union.unionAll(third.selection)
        }
        expected.sort { left, right in
            if left[1] != right[1] { return left[1].precedes(right[1]) != isDescending }
            return left[0].precedes(right[0])
        }
        let rows = Array(expected.dropFirst(offset))
        let mapped =
            union
            .order { one, two in [isDescending ? two.descending : two.ascending, one.ascending] }
            .offset(offset).map { [$0.0.datum, $0.1.datum] }
        return ScopedQuery(
            text:
                "\(left.text).union\(isDistinct ? "" : "All")(\(right.text))\(third.map { ".union\(isThirdDistinct ? "" : "All")(\($0.text))" } ?? "").offset(\(offset))",
            expected: rows, isOrdered: true,
            forms: [
                { try mapped.all(in: $0) },
                { try mapped.first(in: $0) == rows.first ? rows : [] },
            ])
    }

    private mutating func pair<E: ScopeEntity>(
        _ entity: E.Type
    ) -> (text: String, selection: Selection<E, (Int, Int?)>, rows: [[Datum]]) {
        let scope = scope(of: E.self)
        let test = test(scope, 2)
        let one = generator.operand(Int.self, scope, 2)
        let two = generator.operand(Int?.self, scope, 2)
        let first: (E.Columns) -> ColumnExpression<E, Int> = closure(one)
        let second: (E.Columns) -> ColumnExpression<E, Int?> = closure(two)
        return (
            "\(E.self).where{\(test)}.select{(\(one), \(two))}",
            E.where(closure(test)).select { (first($0), second($0)) },
            rows(E.self, test).map {
                [one.value(world, [$0]).datum, two.value(world, [$0]).datum]
            }
        )
    }
}
