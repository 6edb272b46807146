package import Skiathos

/// Values that have an order.
package protocol OrderedScopeValue: WrappedScopeValue, Comparable {}

extension OrderedScopeValue {
    package static var comparisons: [Comparison] { Comparison.allCases }
    package static var comparisonsWithValues: [Comparison] { Comparison.allCases }
    package static var optionalComparisons: [Comparison] { [.equal, .notEqual, .less, .greater] }
    package static var optionalComparisonsWithValues: [Comparison] { Comparison.allCases }

    package static func compare<E: Entity>(
        _ left: ColumnExpression<E, Self>, _ comparison: Comparison,
        _ right: ColumnExpression<E, Self>
    ) -> Condition<E> {
        switch comparison {
        case .equal: left == right
        case .notEqual: left != right
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        }
    }

    package static func compare<E: Entity>(
        _ left: ColumnExpression<E, Self>, _ comparison: Comparison, _ value: Self
    ) -> Condition<E> {
        switch comparison {
        case .equal: left == value
        case .notEqual: left != value
        case .less: left < value
        case .lessOrEqual: left <= value
        case .greater: left > value
        case .greaterOrEqual: left >= value
        }
    }

    package static func compareOptionals<E: Entity>(
        _ left: ColumnExpression<E, Self?>, _ comparison: Comparison,
        _ right: ColumnExpression<E, Self?>
    ) -> Condition<E> {
        switch comparison {
        case .equal: left == right
        case .notEqual: left != right
        case .less, .lessOrEqual: left < right
        case .greater, .greaterOrEqual: left > right
        }
    }

    package static func compareOptional<E: Entity>(
        _ left: ColumnExpression<E, Self?>, _ comparison: Comparison, _ value: Self
    ) -> Condition<E> {
        switch comparison {
        case .equal: left == value
        case .notEqual: left != value
        case .less: left < value
        case .lessOrEqual: left <= value
        case .greater: left > value
        case .greaterOrEqual: left >= value
        }
    }
}
