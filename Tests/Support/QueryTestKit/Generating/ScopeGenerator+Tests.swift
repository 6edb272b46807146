import Foundation
import Skiathos

/// Conditions.
extension ScopeGenerator {
    /// A condition of any form.
    package mutating func test(_ scope: Scope, _ depth: Int) -> any TestNode {
        guard descends(depth) else { return comparison(scope, 0) }
        switch below(20) {
        case 0, 1:
            return JoinNode(
                left: test(scope, depth - 1), right: test(scope, depth - 1), isAll: happens(50))
        case 2: return NotNode(test: test(scope, depth - 1))
        case 3, 4, 5, 6, 7, 8, 9: return scoped(scope, depth)
        case 10, 11: return keeping(scope, depth)
        default: return comparison(scope, depth)
        }
    }

    /// A condition with a closure in it, where one more may be entered.
    package mutating func scoped(_ scope: Scope, _ depth: Int) -> any TestNode {
        guard canEnter(scope) else { return comparison(scope, depth) }
        switch below(12) {
        case 0, 1, 2, 3: return quantified(scope, depth) ?? comparison(scope, depth)
        case 4, 5: return matching(scope, depth) ?? comparison(scope, depth)
        case 6: return connected(scope, depth) ?? comparison(scope, depth)
        case 7, 8:
            guard Marks.haveSelections else { return computed(scope, depth) }
            return member(scope, depth)
        default: return computed(scope, depth)
        }
    }

    private mutating func quantified(_ scope: Scope, _ depth: Int) -> (any TestNode)? {
        guard let rows = rows(scope, depth) else { return nil }
        func make(_ rows: some RowsNode) -> any TestNode {
            if happens(15) { return PresenceNode(rows: rows, isEmpty: happens(50)) }
            return QuantifiedNode(
                rows: rows, quantifier: happens(60) ? .some : .all,
                test: test(of: rows, scope, depth))
        }
        return make(rows)
    }

    private mutating func matching(_ scope: Scope, _ depth: Int) -> (any TestNode)? {
        guard !scope.usableRows.isEmpty else { return nil }
        let row = row(of: scope.usableRows, scope)
        func match<E: ScopeEntity>(_ entity: E.Type) -> any TestNode {
            func make<P: PathStep>(_ path: P) -> any TestNode where P.E == E {
                MatchesNode(
                    row: row, path: path, test: test(scope.entering(P.Target.self), depth - 1))
            }
            let path = pick(E.paths)
            return make(path)
        }
        return match(scope.frames[row].entity)
    }

    private mutating func connected(_ scope: Scope, _ depth: Int) -> (any TestNode)? {
        guard !scope.usableRows.isEmpty else { return nil }
        let row = row(of: scope.usableRows, scope)
        func connect<E: ScopeEntity>(_ entity: E.Type) -> (any TestNode)? {
            func make<C: ConnectedRows>(_ connected: C) -> any TestNode where C.E == E {
                if happens(20) {
                    return ConnectionPresenceNode(
                        row: row, connected: connected, isEmpty: happens(50))
                }
                return ConnectedNode(
                    row: row, connected: connected,
                    test: test(scope.entering(C.Element.self), depth - 1))
            }
            guard !E.connections.isEmpty else { return nil }
            let connected = pick(E.connections)
            return make(connected)
        }
        return connect(scope.frames[row].entity)
    }

    /// One of what is selected from rows of an entity.
    private mutating func member(_ scope: Scope, _ depth: Int) -> any TestNode {
        func make<T: ScopeEntity>(_ entity: T.Type) -> any TestNode {
            let inner = scope.entering(T.self)
            func among<V: ScopeValue>(_ type: V.Type) -> any TestNode {
                let unit = scope.unit(of: T.self)
                if unit.has(type), happens(15) {
                    return UnitMemberNode<T, V>(
                        operand(type, scope, depth - 1), test(unit, depth - 1),
                        operand(type, unit, depth - 1))
                }
                return MemberNode<T, V>(
                    operand: operand(type, scope, depth - 1), test: test(inner, depth - 1),
                    member: operand(type, inner, depth - 1),
                    limit: happens(20) ? below(4) + 1 : nil)
            }
            func amongIDs<O: ScopeEntity>(_ owner: O.Type) -> any TestNode {
                guard scope.has(O.ID?.self), inner.has(O.ID.self) else { return among(Int.self) }
                return among(O.ID.self)
            }
            switch below(6) {
            case 0 where scope.has(String.self) && inner.has(String.self):
                return among(String.self)
            case 1 where scope.has(Decimal.self) && inner.has(Decimal.self):
                return among(Decimal.self)
            case 2 where scope.has(Date.self) && inner.has(Date.self): return among(Date.self)
            case 3 where scope.has(T.ID.self): return amongIDs(T.self)
            case 4 where Marks.haveOptionalSelections: return among(Int?.self)
            default: return among(Int.self)
            }
        }
        return make(entity())
    }

    /// A comparison of what is computed of other rows.
    ///
    /// Means are compared here alone: what is computed of a rounded one depends on the order.
    private mutating func computed(_ scope: Scope, _ depth: Int) -> any TestNode {
        switch below(8) {
        case 0: return compared(MeanForm(), Double?.self, scope, depth)
        case 1 where scope.has(Decimal.self):
            return compared(DecimalMeanForm(), Decimal?.self, scope, depth)
        case 2 where scope.has(String.self):
            return compared(ExtremeForm<String>(), String?.self, scope, depth)
        case 3: return compared(ExtremeForm<Int>(), Int?.self, scope, depth)
        case 4: return compared(SumForm<Int>(), Int.self, scope, depth)
        case 5:
            let left: any OperandNode<Int> =
                queried(scope, depth, happens(60) ? QueryCountForm() : QuerySumForm())
                ?? plain(Int.self, scope)
            return comparison(of: left, with: operand(Int.self, scope, 0))
        case 6:
            guard let left = queried(scope, depth, QueryMeanForm()) else { fallthrough }
            return ValueComparisonNode(
                left: left, comparison: pick(Double?.comparisonsWithValues),
                value: Double?.random(&values))
        default: return compared(CountForm(), Int.self, scope, depth)
        }
    }

    private mutating func compared<V: ScopeValue>(
        _ form: any RelatedForm<V>, _ type: V.Type, _ scope: Scope, _ depth: Int
    ) -> any TestNode {
        guard let left = over(scope, depth, type, form) else { return comparison(scope, 0) }
        return happens(50) && (scope.has(type) || type == Double?.self)
            ? comparison(of: left, with: scope.has(type) ? operand(type, scope, 0) : left)
            : ValueComparisonNode(
                left: left, comparison: pick(V.comparisonsWithValues), value: V.random(&values))
    }

    private mutating func comparison<V: ScopeValue>(
        of left: any OperandNode<V>, with right: any OperandNode<V>
    ) -> any TestNode {
        happens(50)
            ? ComparisonNode(left: left, comparison: pick(V.comparisons), right: right)
            : ComparisonNode(left: right, comparison: pick(V.comparisons), right: left)
    }

    /// A condition or an operand in a variable, and a condition that may use it deeper.
    private mutating func keeping(_ scope: Scope, _ depth: Int) -> any TestNode {
        let kept = keepable(scope, depth)
        return LetNode(kept: kept, test: scoped(scope.keeping(kept), depth))
    }

    private mutating func keepable(_ scope: Scope, _ depth: Int) -> any Keepable {
        switch below(6) {
        case 0, 1: return KeepableTest(test: test(scope, depth - 1))
        case 2 where scope.has(String.self):
            return KeepableOperand(operand: operand(String.self, scope, depth - 1))
        case 3:
            func make(_ rows: some RowsNode) -> any Keepable { KeepableRows(rows: rows) }
            guard let rows = rows(scope, depth) else { fallthrough }
            return make(rows)
        default: return KeepableOperand(operand: operand(Int.self, scope, depth - 1))
        }
    }

    /// A condition that a variable holds.
    func keptTests(_ scope: Scope) -> [any TestNode] {
        func make<E: ScopeEntity>(
            _ row: Int, _ number: Int, _ entity: E.Type, _ test: any TestNode
        ) -> any TestNode { KeptTestNode<E>(row: row, number: number, test: test) }
        return scope.usable.flatMap { row in
            scope.frames[row].kept.enumerated().compactMap { number, kept in
                (kept as? KeepableTest).map {
                    make(row, number, scope.frames[row].entity, $0.test)
                }
            }
        }
    }
}
