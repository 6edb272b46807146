import Foundation
import Skiathos

/// The number of related rows.
struct CountNode<Rows: RowsNode>: OperandNode {
    let rows: Rows

    var description: String { "\(rows).count" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Int> {
        rows.native(stack).count.within(R.self)
    }

    func value(_ world: ScopeWorld, _ outer: [Int]) -> Int { rows.rows(world, outer).count }
}

/// The sum over related rows.
struct SumNode<Rows: RowsNode, Value: ScopeValue & SummedColumnValue>: OperandNode
where Value.Sum == Value {
    let rows: Rows
    let operand: any OperandNode<Value>

    var description: String { "\(rows).sum{\(operand)}" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Value> {
        rows.native(stack).sum(operand.closure(Rows.Element.self, stack)).within(R.self)
    }

    func value(_ world: ScopeWorld, _ outer: [Int]) -> Value {
        rows.rows(world, outer).reduce(.zero) { $0 + operand.value(world, outer + [$1]) }
    }
}

/// The sum of the values that there are.
struct OptionalSumNode<Rows: RowsNode, Value: WrappedScopeValue & SummedColumnValue>: OperandNode
where Value.Sum == Value {
    let rows: Rows
    let operand: any OperandNode<Value?>

    var description: String { "\(rows).sum{\(operand)}" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Value> {
        rows.native(stack).sum(operand.closure(Rows.Element.self, stack)).within(R.self)
    }

    func value(_ world: ScopeWorld, _ outer: [Int]) -> Value {
        rows.rows(world, outer).reduce(.zero) {
            $0 + (operand.value(world, outer + [$1]) ?? .zero)
        }
    }
}

/// The smallest or the largest value of related rows.
struct ExtremeNode<Rows: RowsNode, V: OrderedScopeValue>: OperandNode {
    let rows: Rows
    let isMaximum: Bool
    let operand: any OperandNode<V>

    var description: String { "\(rows).\(isMaximum ? "max" : "min"){\(operand)}" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, V?> {
        let closure = operand.closure(Rows.Element.self, stack)
        let relation = rows.native(stack)
        return (isMaximum ? relation.max(closure) : relation.min(closure)).within(R.self)
    }

    func value(_ world: ScopeWorld, _ outer: [Int]) -> V? {
        extreme(rows.rows(world, outer).map { operand.value(world, outer + [$0]) }, isMaximum)
    }
}

/// The smallest or the largest of the values that there are.
struct OptionalExtremeNode<Rows: RowsNode, V: OrderedScopeValue>: OperandNode {
    let rows: Rows
    let isMaximum: Bool
    let operand: any OperandNode<V?>

    var description: String { "\(rows).\(isMaximum ? "max" : "min"){\(operand)}" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, V?> {
        let closure = operand.closure(Rows.Element.self, stack)
        let relation = rows.native(stack)
        return (isMaximum ? relation.max(closure) : relation.min(closure)).within(R.self)
    }

    func value(_ world: ScopeWorld, _ outer: [Int]) -> V? {
        extreme(
            rows.rows(world, outer).compactMap { operand.value(world, outer + [$0]) }, isMaximum)
    }
}

/// Texts go by their scalars, and not as Swift orders them.
func extreme<V: ScopeValue>(_ values: [V], _ isMaximum: Bool) -> V? {
    isMaximum
        ? values.max { $0.datum.precedes($1.datum) } : values.min { $0.datum.precedes($1.datum) }
}

/// The mean over related rows.
struct MeanNode<Rows: RowsNode>: OperandNode {
    let rows: Rows
    let operand: any OperandNode<Int>

    var description: String { "\(rows).average{\(operand)}" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Double?> {
        rows.native(stack).average(operand.closure(Rows.Element.self, stack)).within(R.self)
    }

    func value(_ world: ScopeWorld, _ outer: [Int]) -> Double? {
        mean(rows.rows(world, outer).map { operand.value(world, outer + [$0]) })
    }
}

/// The mean of the values that there are.
struct OptionalMeanNode<Rows: RowsNode>: OperandNode {
    let rows: Rows
    let operand: any OperandNode<Int?>

    var description: String { "\(rows).average{\(operand)}" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Double?> {
        rows.native(stack).average(operand.closure(Rows.Element.self, stack)).within(R.self)
    }

    func value(_ world: ScopeWorld, _ outer: [Int]) -> Double? {
        mean(rows.rows(world, outer).compactMap { operand.value(world, outer + [$0]) })
    }
}

func mean(_ values: [Int]) -> Double? {
    values.isEmpty ? nil : Double(values.reduce(0, +)) / Double(values.count)
}

/// The mean of decimal numbers over related rows.
struct DecimalMeanNode<Rows: RowsNode>: OperandNode {
    let rows: Rows
    let operand: any OperandNode<Decimal>

    var description: String { "\(rows).average{\(operand)}" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Decimal?> {
        rows.native(stack).average(operand.closure(Rows.Element.self, stack)).within(R.self)
    }

    func value(_ world: ScopeWorld, _ outer: [Int]) -> Decimal? {
        mean(rows.rows(world, outer).map { operand.value(world, outer + [$0]) })
    }
}

/// The mean of the decimal numbers that there are.
struct OptionalDecimalMeanNode<Rows: RowsNode>: OperandNode {
    let rows: Rows
    let operand: any OperandNode<Decimal?>

    var description: String { "\(rows).average{\(operand)}" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Decimal?> {
        rows.native(stack).average(operand.closure(Rows.Element.self, stack)).within(R.self)
    }

    func value(_ world: ScopeWorld, _ outer: [Int]) -> Decimal? {
        mean(rows.rows(world, outer).compactMap { operand.value(world, outer + [$0]) })
    }
}

func mean(_ values: [Decimal]) -> Decimal? {
    values.isEmpty ? nil : values.reduce(0, +) / Decimal(values.count)
}
