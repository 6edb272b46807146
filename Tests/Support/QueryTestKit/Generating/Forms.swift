import Foundation
import Skiathos

/// A form in which a value is computed of related rows.
protocol RelatedForm<Value> {
    associatedtype Value: ScopeValue
    func make<N: RowsNode>(
        _ rows: N, _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<Value>
}

struct CountForm: RelatedForm {
    func make<N: RowsNode>(
        _ rows: N, _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<Int> { CountNode(rows: rows) }
}

struct SumForm<Value: WrappedScopeValue & SummedColumnValue>: RelatedForm
where Value.Sum == Value {
    func make<N: RowsNode>(
        _ rows: N, _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<Value> {
        let inner = scope.entering(N.Element.self)
        if inner.has(Value?.self), generator.happens(25) {
            let operand = generator.operand(Value?.self, inner, depth - 1)
            return OptionalSumNode(rows: rows, operand: operand)
        }
        guard inner.has(Value.self) else { return generator.plain(Value.self, scope) }
        return SumNode(rows: rows, operand: generator.operand(Value.self, inner, depth - 1))
    }
}

struct ExtremeForm<V: OrderedScopeValue>: RelatedForm {
    func make<N: RowsNode>(
        _ rows: N, _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<V?> {
        let inner = scope.entering(N.Element.self)
        let isMaximum = generator.happens(50)
        if inner.has(V?.self), generator.happens(25) {
            let operand = generator.operand(V?.self, inner, depth - 1)
            return OptionalExtremeNode(rows: rows, isMaximum: isMaximum, operand: operand)
        }
        guard inner.has(V.self) else { return generator.operand(V?.self, scope, 0) }
        let operand = generator.operand(V.self, inner, depth - 1)
        return ExtremeNode(rows: rows, isMaximum: isMaximum, operand: operand)
    }
}

struct MeanForm: RelatedForm {
    func make<N: RowsNode>(
        _ rows: N, _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<Double?> {
        let inner = scope.entering(N.Element.self)
        guard generator.happens(60) else {
            return OptionalMeanNode(rows: rows, operand: generator.operand(Int?.self, inner, 0))
        }
        return MeanNode(rows: rows, operand: generator.operand(Int.self, inner, depth - 1))
    }
}

struct DecimalMeanForm: RelatedForm {
    func make<N: RowsNode>(
        _ rows: N, _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<Decimal?> {
        let inner = scope.entering(N.Element.self)
        guard inner.has(Decimal.self) else { return generator.operand(Decimal?.self, scope, 0) }
        if generator.happens(30) {
            let operand = generator.operand(Decimal?.self, inner, depth - 1)
            return OptionalDecimalMeanNode(rows: rows, operand: operand)
        }
        return DecimalMeanNode(
            rows: rows, operand: generator.operand(Decimal.self, inner, depth - 1))
    }
}

/// A form in which a value is computed by a query of its own.
///
/// What is aggregated has a column of the query's own row in it: an aggregate of outer columns alone
/// would be about the outer rows.
protocol QueriedForm<Value> {
    associatedtype Value: ScopeValue
    func make<T: ScopeEntity>(
        _ entity: T.Type, _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<Value>
}

struct QueryCountForm: QueriedForm {
    func make<T: ScopeEntity>(
        _ entity: T.Type, _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<Int> {
        let inner = scope.entering(T.self)
        guard generator.happens(25) else {
            return QueryCountNode<T>(test: generator.test(inner, depth - 1))
        }
        let unit = generator.test(scope.unit(of: T.self), depth - 1)
        return UnitNode<T>(unit, generator.happens(50) ? generator.test(inner, depth - 1) : nil)
    }
}

struct QuerySumForm: QueriedForm {
    func make<T: ScopeEntity>(
        _ entity: T.Type, _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<Int> {
        let inner = scope.entering(T.self)
        return QuerySumNode<T, Int>(
            test: generator.test(inner, depth - 1), operand: generator.own(Int.self, inner, T.self))
    }
}

struct QueryExtremeForm<V: OrderedScopeValue>: QueriedForm {
    func make<T: ScopeEntity>(
        _ entity: T.Type, _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<V?> {
        let inner = scope.entering(T.self)
        guard !inner.fields(inner.innermost, T.self, V.self).isEmpty else {
            return generator.operand(V?.self, scope, 0)
        }
        return QueryExtremeNode<T, V>(
            test: generator.test(inner, depth - 1), isMaximum: generator.happens(50),
            operand: generator.own(V.self, inner, T.self))
    }
}

struct QueryMeanForm: QueriedForm {
    func make<T: ScopeEntity>(
        _ entity: T.Type, _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<Double?> {
        let inner = scope.entering(T.self)
        return QueryMeanNode<T>(
            test: generator.test(inner, depth - 1), operand: generator.own(Int.self, inner, T.self))
    }
}

extension ScopeGenerator {
    /// An operand in which there is a column of the innermost row.
    mutating func own<E: ScopeEntity, V: ScopeValue>(
        _ type: V.Type, _ scope: Scope, _ entity: E.Type
    ) -> any OperandNode<V> {
        let fields = V.fields(of: E.self)
        let column = ColumnNode(row: scope.innermost, field: pick(fields))
        guard happens(40), let mixed = mixed(column, scope) as? any OperandNode<V> else {
            return column
        }
        return mixed
    }

    private mutating func mixed(_ column: Any, _ scope: Scope) -> Any? {
        if let column = column as? any OperandNode<Int> {
            return ArithmeticNode<Int>(
                left: column, operation: pick([.add, .subtract]), right: plain(Int.self, scope))
        }
        if let column = column as? any OperandNode<String> {
            return ConcatenationNode(left: column, right: plain(String.self, scope))
        }
        return nil
    }
}
