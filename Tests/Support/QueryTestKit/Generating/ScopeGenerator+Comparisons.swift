import Foundation
import Skiathos

/// Conditions without closures.
extension ScopeGenerator {
    mutating func comparison(_ scope: Scope, _ depth: Int) -> any TestNode {
        let kept = keptTests(scope)
        if !kept.isEmpty, happens(40) { return pick(kept) }
        switch below(22) {
        case 0, 1: return compared(String.self, scope, depth)
        case 2: return compared(Double.self, scope, depth)
        case 3: return compared(Decimal.self, scope, depth)
        case 4: return compared(Date.self, scope, depth)
        case 5: return compared(Bool.self, scope, depth)
        case 6: return compared(Int?.self, scope, depth)
        case 7: return compared(String?.self, scope, depth)
        case 8:
            let type = pick(Self.optionals)
            return compared(type, scope, depth)
        case 9, 10: return compared(Person.ID?.self, scope, 0)
        case 11: return compared(Team.ID?.self, scope, 0)
        case 12: return compared(Person.ID.self, scope, 0)
        case 13: return matched(scope, depth)
        case 14: return descent(scope)
        case 15: return listed(scope, depth)
        case 16: return ConstantNode(isTrue: happens(50))
        default: return compared(Int.self, scope, depth)
        }
    }

    private static var optionals: [any ScopeValue.Type] {
        [Double?.self, Decimal?.self, Date?.self, Bool?.self]
    }

    private mutating func compared<V: ScopeValue>(
        _ type: V.Type, _ scope: Scope, _ depth: Int
    ) -> any TestNode {
        guard scope.has(type) else { return integers(scope, depth) }
        let left = operand(type, scope, depth)
        guard happens(80) else {
            return ValueComparisonNode(
                left: left, comparison: pick(V.comparisonsWithValues), value: V.random(&values))
        }
        return ComparisonNode(
            left: left, comparison: pick(V.comparisons), right: operand(type, scope, 0))
    }

    private mutating func integers(_ scope: Scope, _ depth: Int) -> any TestNode {
        guard scope.has(Int.self) else { return ConstantNode(isTrue: happens(50)) }
        return ComparisonNode(
            left: operand(Int.self, scope, depth), comparison: pick(Comparison.allCases),
            right: operand(Int.self, scope, 0))
    }

    private mutating func matched(_ scope: Scope, _ depth: Int) -> any TestNode {
        guard scope.has(String.self) else { return integers(scope, depth) }
        if happens(30) {
            return OptionalMatchNode(
                text: operand(String?.self, scope, depth),
                kind: pick(OptionalMatchNode.Kind.allCases), pattern: values.text())
        }
        return MatchNode(
            text: operand(String.self, scope, depth), kind: pick(MatchNode.Kind.allCases),
            pattern: values.text())
    }

    private mutating func descent(_ scope: Scope) -> any TestNode {
        guard !scope.usableRows.isEmpty else { return integers(scope, 0) }
        let row = row(of: scope.usableRows, scope)
        func make<E: ScopeEntity>(_ entity: E.Type) -> (any TestNode)? {
            guard !E.descents.isEmpty else { return nil }
            return DescentNode<E>(
                row: row, reference: pick(E.descents),
                ids: (0...below(2)).map { _ in .init(rawValue: values.id(ScopeWorld.teams)) },
                isAbove: happens(50))
        }
        return make(scope.frames[row].entity) ?? integers(scope, 0)
    }

    private mutating func listed(_ scope: Scope, _ depth: Int) -> any TestNode {
        switch below(6) {
        case 0 where scope.has(String.self):
            return ListNode(
                operand: operand(String.self, scope, depth),
                values: [values.text(), values.text(), values.text()],
                form: pick(ListNode<String>.Form.allCases))
        case 1 where scope.has(Int?.self):
            return ListNode(
                operand: operand(Int?.self, scope, depth), values: [values.number(), nil],
                form: pick([.array, .set]))
        case 2 where scope.has(Bool.self): return flagged(scope, depth)
        case 3 where scope.has(Int?.self):
            let lower = values.number()
            return OptionalRangeNode(
                operand: operand(Int?.self, scope, depth), lower: lower, upper: lower + below(6))
        case 4 where scope.has(Date.self):
            let (one, two) = (values.date(), values.date())
            return RangeNode(
                operand: operand(Date.self, scope, depth), lower: min(one, two),
                upper: max(one, two), form: pick(RangeNode<Date>.Form.allCases))
        default:
            guard scope.has(Int.self) else { return integers(scope, depth) }
            let lower = values.number()
            return RangeNode(
                operand: operand(Int.self, scope, depth), lower: lower, upper: lower + below(6),
                form: pick(RangeNode<Int>.Form.allCases))
        }
    }

    private mutating func flagged(_ scope: Scope, _ depth: Int) -> any TestNode {
        func join<E: ScopeEntity>(_ entity: E.Type) -> (any TestNode)? {
            let fields = scope.fields(scope.innermost, E.self, Bool.self)
            guard !fields.isEmpty else { return nil }
            return FlagJoinNode<E>(
                row: scope.innermost, field: pick(fields), test: integers(scope, depth),
                form: pick(FlagJoinNode<E>.Form.allCases))
        }
        let joined = happens(50) ? join(scope.frames[scope.innermost].entity) : nil
        return joined ?? FlagNode(operand: operand(Bool.self, scope, depth))
    }
}
