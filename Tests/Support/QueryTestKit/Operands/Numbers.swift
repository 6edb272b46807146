import Foundation
import Skiathos

/// Two numbers added, subtracted or multiplied.
struct ArithmeticNode<Value: ScopeValue & Numeric>: OperandNode {
    enum Operator: String, CaseIterable {
        case add = "+"
        case subtract = "-"
        case multiply = "*"
    }

    let left: any OperandNode<Value>
    let operation: Operator
    let right: any OperandNode<Value>

    var description: String { "(\(left) \(operation.rawValue) \(right))" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Value> {
        let left: ColumnExpression<R, Value> = left.native(stack)
        let right: ColumnExpression<R, Value> = right.native(stack)
        return switch operation {
        case .add: left + right
        case .subtract: left - right
        case .multiply: left * right
        }
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> Value {
        let (left, right) = (left.value(world, rows), right.value(world, rows))
        return switch operation {
        case .add: left + right
        case .subtract: left - right
        case .multiply: left * right
        }
    }
}

/// A number and an operand added, or the one subtracted from the other.
struct ShiftNode<Value: ScopeValue & Numeric>: OperandNode {
    let operand: any OperandNode<Value>
    let constant: Value
    let isNegated: Bool

    var description: String {
        isNegated ? "(\(constant.datum) - \(operand))" : "(\(operand) + \(constant.datum))"
    }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Value> {
        let operand: ColumnExpression<R, Value> = operand.native(stack)
        return isNegated ? constant - operand : operand + constant
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> Value {
        let value = operand.value(world, rows)
        return isNegated ? constant - value : value + constant
    }
}

/// The remainder of an integer by a number.
struct RemainderNode: OperandNode {
    let operand: any OperandNode<Int>
    let divisor: Int

    var description: String { "(\(operand) % \(divisor))" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Int> {
        let operand: ColumnExpression<R, Int> = operand.native(stack)
        return operand % divisor
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> Int { operand.value(world, rows) % divisor }
}

/// One integer divided by another one, which may be zero, or what remains then.
struct QuotientNode: OperandNode {
    let left: any OperandNode<Int>
    let right: any OperandNode<Int>
    let isRemainder: Bool

    var description: String { "(\(left) \(isRemainder ? "%" : "/") \(right))" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Int?> {
        let left: ColumnExpression<R, Int> = left.native(stack)
        let right: ColumnExpression<R, Int> = right.native(stack)
        return isRemainder ? left % right : left / right
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> Int? {
        let (dividend, divisor) = (left.value(world, rows), right.value(world, rows))
        guard divisor != 0 else { return nil }
        return isRemainder ? dividend % divisor : dividend / divisor
    }
}

/// An integer as a floating point number.
struct RealNode: OperandNode {
    let operand: any OperandNode<Int>

    var description: String { "\(operand).asDouble" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Double> {
        let operand: ColumnExpression<R, Int> = operand.native(stack)
        return operand.asDouble
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> Double { Double(operand.value(world, rows)) }
}

/// An integer as a decimal number.
struct DecimalNode: OperandNode {
    let operand: any OperandNode<Int>

    var description: String { "\(operand).asDecimal" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Decimal> {
        let operand: ColumnExpression<R, Int> = operand.native(stack)
        return operand.asDecimal
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> Decimal {
        Decimal(operand.value(world, rows))
    }
}

/// A number rounded, or without its sign.
struct RoundingNode: OperandNode {
    let operand: any OperandNode<Double>
    let isMagnitude: Bool

    var description: String { "\(operand).\(isMagnitude ? "magnitude" : "rounded")" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Double> {
        let operand: ColumnExpression<R, Double> = operand.native(stack)
        return isMagnitude ? operand.magnitude : operand.rounded
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> Double {
        let value = operand.value(world, rows)
        return isMagnitude ? value.magnitude : value.rounded()
    }
}
