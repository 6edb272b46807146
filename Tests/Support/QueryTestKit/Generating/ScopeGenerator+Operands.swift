package import Foundation
package import Skiathos

extension Int {
    package static func operand(
        _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<Int> {
        guard generator.descends(depth) else { return generator.plain(Int.self, scope) }
        let made: (any OperandNode<Int>)? =
            switch generator.below(16) {
            case 0, 1, 2:
                ArithmeticNode<Int>(
                    left: generator.plain(Int.self, scope),
                    operation: generator.pick(ArithmeticNode<Int>.Operator.allCases),
                    right: generator.operand(Int.self, scope, depth - 1))
            case 3:
                ShiftNode<Int>(
                    operand: generator.operand(Int.self, scope, depth - 1),
                    constant: generator.values.number(), isNegated: generator.happens(40))
            case 4:
                RemainderNode(
                    operand: generator.operand(Int.self, scope, depth - 1),
                    divisor: generator.pick([-3, 2, 3, 5]))
            case 5: generator.coalescing(Int.self, scope, depth)
            case 6: generator.choice(Int.self, scope, depth)
            case 7, 8: generator.over(scope, depth, Int.self, CountForm())
            case 9, 10: generator.over(scope, depth, Int.self, SumForm<Int>())
            case 11 where scope.has(String.self):
                LengthNode(operand: generator.operand(String.self, scope, depth - 1))
            case 12 where scope.has(Date.self):
                DatePartNode(
                    operand: generator.operand(Date.self, scope, depth - 1),
                    part: generator.pick(DatePartNode.Part.allCases))
            case 13: generator.connections(scope, depth)
            case 14: generator.queried(scope, depth, QueryCountForm())
            case 15: generator.queried(scope, depth, QuerySumForm())
            default: nil
            }
        return made ?? generator.plain(Int.self, scope)
    }

    package static func optionalOperand(
        _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<Int?> {
        guard generator.descends(depth), generator.happens(25) else {
            return generator.optional(Int.self, scope, depth)
        }
        if scope.has(Date.self), generator.happens(30) {
            return OptionalDatePartNode(
                operand: generator.operand(Date?.self, scope, depth - 1),
                part: generator.pick(DatePartNode.Part.allCases))
        }
        return QuotientNode(
            left: generator.operand(Int.self, scope, depth - 1),
            right: generator.plain(Int.self, scope), isRemainder: generator.happens(40))
    }
}

extension Double {
    package static func operand(
        _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<Double> {
        guard generator.descends(depth) else { return generator.plain(Double.self, scope) }
        switch generator.below(9) {
        case 0, 1:
            return ArithmeticNode<Double>(
                left: generator.plain(Double.self, scope),
                operation: generator.pick([.add, .subtract]),
                right: generator.operand(Double.self, scope, depth - 1))
        case 2: return RealNode(operand: generator.operand(Int.self, scope, depth - 1))
        case 3:
            return RoundingNode(
                operand: generator.operand(Double.self, scope, depth - 1),
                isMagnitude: generator.happens(50))
        case 4: return generator.coalescing(Double.self, scope, depth)
        case 5: return generator.choice(Double.self, scope, depth)
        case 6 where scope.has(Date.self):
            return IntervalNode(
                left: generator.operand(Date.self, scope, depth - 1),
                right: generator.operand(Date.self, scope, depth - 1))
        case 7:
            return generator.over(scope, depth, Double.self, SumForm<Double>())
                ?? generator.plain(Double.self, scope)
        default: return generator.plain(Double.self, scope)
        }
    }

    package static func optionalOperand(
        _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<Double?> { generator.optional(Double.self, scope, depth) }
}

extension String {
    package static func operand(
        _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<String> {
        guard generator.descends(depth) else { return generator.plain(String.self, scope) }
        switch generator.below(7) {
        case 0, 1:
            return ConcatenationNode(
                left: generator.operand(String.self, scope, depth - 1),
                right: generator.operand(String.self, scope, depth - 1))
        case 2:
            return TextFormNode(
                operand: generator.operand(String.self, scope, depth - 1),
                form: generator.pick(TextFormNode.Form.allCases))
        case 3: return generator.coalescing(String.self, scope, depth)
        case 4: return generator.choice(String.self, scope, depth)
        default: return generator.plain(String.self, scope)
        }
    }

    package static func optionalOperand(
        _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<String?> { generator.optional(String.self, scope, depth) }
}

extension Decimal {
    package static func operand(
        _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<Decimal> {
        guard generator.descends(depth) else { return generator.plain(Decimal.self, scope) }
        switch generator.below(7) {
        case 0, 1:
            return ArithmeticNode<Decimal>(
                left: generator.plain(Decimal.self, scope),
                operation: generator.pick(ArithmeticNode<Decimal>.Operator.allCases),
                right: generator.plain(Decimal.self, scope))
        case 2: return DecimalNode(operand: generator.operand(Int.self, scope, depth - 1))
        case 3: return generator.coalescing(Decimal.self, scope, depth)
        case 4: return generator.choice(Decimal.self, scope, depth)
        case 5:
            return generator.over(scope, depth, Decimal.self, SumForm<Decimal>())
                ?? generator.plain(Decimal.self, scope)
        default: return generator.plain(Decimal.self, scope)
        }
    }

    package static func optionalOperand(
        _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<Decimal?> { generator.optional(Decimal.self, scope, depth) }
}

extension Date {
    package static func operand(
        _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<Date> {
        guard generator.descends(depth) else { return generator.plain(Date.self, scope) }
        switch generator.below(5) {
        case 0, 1:
            return LaterNode(
                operand: generator.operand(Date.self, scope, depth - 1),
                seconds: generator.pick([-40_000_000, -0.5, 3_600, 40_000_000]))
        case 2: return generator.coalescing(Date.self, scope, depth)
        case 3: return generator.choice(Date.self, scope, depth)
        default: return generator.plain(Date.self, scope)
        }
    }

    package static func optionalOperand(
        _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<Date?> { generator.optional(Date.self, scope, depth) }
}

extension Bool {
    package static func operand(
        _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<Bool> {
        guard generator.descends(depth) else { return generator.plain(Bool.self, scope) }
        switch generator.below(4) {
        case 0: return generator.coalescing(Bool.self, scope, depth)
        case 1: return generator.choice(Bool.self, scope, depth)
        default: return generator.plain(Bool.self, scope)
        }
    }

    package static func optionalOperand(
        _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<Bool?> { generator.optionalColumn(Bool.self, scope) }
}

extension EntityID where E: ScopeEntity {
    package static func operand(
        _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<Self> {
        guard generator.descends(depth), scope.has(Self?.self) else {
            return generator.plain(Self.self, scope)
        }
        return CoalescingNode(
            first: generator.operand(Self?.self, scope, 0),
            second: generator.plain(Self.self, scope))
    }

    package static func optionalOperand(
        _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<Self?> { generator.optionalColumn(Self.self, scope) }
}
