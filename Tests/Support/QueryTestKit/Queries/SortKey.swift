import Foundation
import Skiathos

/// A sort key, and what it sorts by.
struct SortKey<E: ScopeEntity>: Sendable {
    let text: String
    let ordering: @Sendable (E.Columns) -> Ordering<E>
    let isDescending: Bool
    let datum: @Sendable (ScopeWorld, [Int]) -> Datum

    init<V: ScopeValue>(_ operand: any OperandNode<V>, isDescending: Bool) {
        text = "\(operand)\(isDescending ? " desc" : "")"
        self.isDescending = isDescending
        let native: @Sendable (E.Columns) -> ColumnExpression<E, V> = closure(operand)
        ordering = { isDescending ? native($0).descending : native($0).ascending }
        datum = { operand.value($0, $1).datum }
    }

    /// A text whatever its case.
    init(ignoringCase operand: any OperandNode<String>, isDescending: Bool) {
        text = "\(operand).caseInsensitive\(isDescending ? " desc" : "")"
        self.isDescending = isDescending
        let native: @Sendable (E.Columns) -> ColumnExpression<E, String> = closure(operand)
        ordering = {
            let text = native($0).caseInsensitive
            return isDescending ? text.descending : text.ascending
        }
        datum = { operand.value($0, $1).lowercased().datum }
    }
}

extension ScopedQueries {
    mutating func sortKey<E: ScopeEntity>(_ scope: Scope, _ entity: E.Type) -> SortKey<E> {
        let isDescending = generator.happens(50)
        switch generator.below(5) {
        case 0 where scope.has(String.self):
            let text = generator.operand(String.self, scope, 2)
            return generator.happens(30)
                ? SortKey(ignoringCase: text, isDescending: isDescending)
                : SortKey(text, isDescending: isDescending)
        case 1:
            return SortKey(generator.operand(Date?.self, scope, 2), isDescending: isDescending)
        case 2 where scope.has(Decimal.self):
            return SortKey(
                generator.operand(Decimal.self, scope, 2), isDescending: isDescending)
        case 3:
            return SortKey(generator.operand(Int?.self, scope, 2), isDescending: isDescending)
        default:
            return SortKey(generator.operand(Int.self, scope, 3), isDescending: isDescending)
        }
    }

    /// Rows by keys, equal ones by their IDs.
    func sorted<E: ScopeEntity>(_ rows: [Int], _ keys: [SortKey<E>]) -> [Int] {
        let decorated = rows.map { row in (row, keys.map { $0.datum(world, [row]) }) }
        return decorated.sorted { left, right in
            for (position, key) in keys.enumerated() where left.1[position] != right.1[position] {
                return left.1[position].precedes(right.1[position]) != key.isDescending
            }
            return left.0 < right.0
        }.map(\.0)
    }
}
