import Foundation
import Skiathos

/// Makes parts of predicates of others whose types are known at run time alone.
enum Parts {
    typealias Part<Value> = any StandardPredicateExpression<Value>

    static func equal<V: Equatable>(_ left: Part<V>, _ right: Part<V>) -> Part<Bool> {
        func make(
            _ left: some StandardPredicateExpression<V>,
            _ right: some StandardPredicateExpression<V>
        ) -> Part<Bool> { PredicateExpressions.build_Equal(lhs: left, rhs: right) }
        return make(left, right)
    }

    static func notEqual<V: Equatable>(_ left: Part<V>, _ right: Part<V>) -> Part<Bool> {
        func make(
            _ left: some StandardPredicateExpression<V>,
            _ right: some StandardPredicateExpression<V>
        ) -> Part<Bool> { PredicateExpressions.build_NotEqual(lhs: left, rhs: right) }
        return make(left, right)
    }

    static func compare<V: Comparable>(
        _ left: Part<V>, _ op: PredicateExpressions.ComparisonOperator,
        _ right: Part<V>
    ) -> Part<Bool> {
        func make<L: StandardPredicateExpression<V>, R: StandardPredicateExpression<V>>(
            _ left: L, _ right: R
        ) -> Part<Bool> {
            switch op {
            case .lessThan:
                PredicateExpressions.build_Comparison(lhs: left, rhs: right, op: .lessThan)
            case .lessThanOrEqual:
                PredicateExpressions.build_Comparison(lhs: left, rhs: right, op: .lessThanOrEqual)
            case .greaterThan:
                PredicateExpressions.build_Comparison(lhs: left, rhs: right, op: .greaterThan)
            default:
                PredicateExpressions.build_Comparison(
                    lhs: left, rhs: right, op: .greaterThanOrEqual)
            }
        }
        return make(left, right)
    }

    static func both(_ left: Part<Bool>, _ right: Part<Bool>) -> Part<Bool> {
        func make(
            _ left: some StandardPredicateExpression<Bool>,
            _ right: some StandardPredicateExpression<Bool>
        ) -> Part<Bool> { PredicateExpressions.build_Conjunction(lhs: left, rhs: right) }
        return make(left, right)
    }

    static func either(_ left: Part<Bool>, _ right: Part<Bool>) -> Part<Bool> {
        func make(
            _ left: some StandardPredicateExpression<Bool>,
            _ right: some StandardPredicateExpression<Bool>
        ) -> Part<Bool> { PredicateExpressions.build_Disjunction(lhs: left, rhs: right) }
        return make(left, right)
    }

    static func not(_ part: Part<Bool>) -> Part<Bool> {
        func make(_ part: some StandardPredicateExpression<Bool>) -> Part<Bool> {
            PredicateExpressions.build_Negation(part)
        }
        return make(part)
    }

    static func choose<V>(
        _ test: Part<Bool>, _ first: Part<V>, _ second: Part<V>
    ) -> Part<V> {
        func make(
            _ test: some StandardPredicateExpression<Bool>,
            _ first: some StandardPredicateExpression<V>,
            _ second: some StandardPredicateExpression<V>
        ) -> Part<V> { PredicateExpressions.build_Conditional(test, first, second) }
        return make(test, first, second)
    }

    static func coalesce<V>(_ first: Part<V?>, _ second: Part<V>) -> Part<V> {
        func make(
            _ first: some StandardPredicateExpression<V?>,
            _ second: some StandardPredicateExpression<V>
        ) -> Part<V> { PredicateExpressions.build_NilCoalesce(lhs: first, rhs: second) }
        return make(first, second)
    }

    static func arithmetic<V: Numeric>(
        _ left: Part<V>, _ op: PredicateExpressions.ArithmeticOperator,
        _ right: Part<V>
    ) -> Part<V> {
        func make(
            _ left: some StandardPredicateExpression<V>,
            _ right: some StandardPredicateExpression<V>
        ) -> Part<V> {
            switch op {
            case .add: PredicateExpressions.build_Arithmetic(lhs: left, rhs: right, op: .add)
            case .subtract:
                PredicateExpressions.build_Arithmetic(lhs: left, rhs: right, op: .subtract)
            default:
                PredicateExpressions.build_Arithmetic(lhs: left, rhs: right, op: .multiply)
            }
        }
        return make(left, right)
    }

    static func isAmong<V: Equatable & Codable & Sendable>(
        _ part: Part<V>, _ values: [V]
    ) -> Part<Bool> {
        func make(_ part: some StandardPredicateExpression<V>) -> Part<Bool> {
            PredicateExpressions.build_contains(PredicateExpressions.build_Arg(values), part)
        }
        return make(part)
    }

    static func lies<V: Comparable & Codable & Sendable>(
        _ part: Part<V>, in range: ClosedRange<V>
    ) -> Part<Bool> {
        func make(_ part: some StandardPredicateExpression<V>) -> Part<Bool> {
            PredicateExpressions.build_contains(
                PredicateExpressions.build_ClosedRange(
                    lower: PredicateExpressions.build_Arg(range.lowerBound),
                    upper: PredicateExpressions.build_Arg(range.upperBound)), part)
        }
        return make(part)
    }

    static func contains(_ part: Part<String>, _ other: Part<String>) -> Part<Bool> {
        func make(
            _ part: some StandardPredicateExpression<String>,
            _ other: some StandardPredicateExpression<String>
        ) -> Part<Bool> { PredicateExpressions.build_contains(part, other) }
        return make(part, other)
    }

    static func starts(_ part: Part<String>, _ other: Part<String>) -> Part<Bool> {
        func make(
            _ part: some StandardPredicateExpression<String>,
            _ other: some StandardPredicateExpression<String>
        ) -> Part<Bool> { PredicateExpressions.build_starts(part, with: other) }
        return make(part, other)
    }

    /// The text is there and starts with another one.
    static func starts(optional part: Part<String?>, _ prefix: String) -> Part<Bool> {
        func make(_ part: some StandardPredicateExpression<String?>) -> Part<Bool> {
            PredicateExpressions.build_Equal(
                lhs: PredicateExpressions.build_flatMap(part) {
                    PredicateExpressions.build_starts(
                        $0, with: PredicateExpressions.build_Arg(prefix))
                }, rhs: PredicateExpressions.build_Arg(Bool?(true)))
        }
        return make(part)
    }

    static func length(_ part: Part<String>) -> Part<Int> {
        func make(_ part: some StandardPredicateExpression<String>) -> Part<Int> {
            PredicateExpressions.build_KeyPath(root: part, keyPath: \.count)
        }
        return make(part)
    }
}

/// A part made of two, where both can be said in a predicate.
func combined<A, B, C>(
    _ first: ((SpecimenVariable) -> A)?, _ second: ((SpecimenVariable) -> B)?,
    _ join: @escaping (A, B) -> C
) -> ((SpecimenVariable) -> C)? {
    guard let first, let second else { return nil }
    return { join(first($0), second($0)) }
}

func keyPath<Value>(
    _ variable: SpecimenVariable, _ keyPath: any KeyPath<Specimen, Value> & Sendable
) -> any StandardPredicateExpression<Value> {
    PredicateExpressions.build_KeyPath(root: variable, keyPath: keyPath)
}

func argument<Value: Codable & Sendable>(
    _ value: Value
) -> any StandardPredicateExpression<Value> { PredicateExpressions.build_Arg(value) }
