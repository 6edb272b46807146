package import Skiathos

/// How two values are compared.
package enum Comparison: String, CaseIterable, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    var isOfOrder: Bool { self != .equal && self != .notEqual }

    /// As plain Swift compares; a missing value is neither less nor greater than another.
    func holds(_ left: Datum, _ right: Datum) -> Bool {
        switch self {
        case .equal: return left == right
        case .notEqual: return left != right
        default: break
        }
        guard left != .none, right != .none else { return false }
        return switch self {
        case .less: left.precedes(right)
        case .lessOrEqual: !right.precedes(left)
        case .greater: right.precedes(left)
        default: !left.precedes(right)
        }
    }
}

/// A type of values that operands of random queries have.
package protocol ScopeValue: Hashable, Sendable {
    /// How two operands can be compared.
    static var comparisons: [Comparison] { get }
    /// How an operand can be compared with a value.
    static var comparisonsWithValues: [Comparison] { get }
    /// Two operands compared, as it is written with columns.
    static func compare<E: Entity>(
        _ left: ColumnExpression<E, Self>, _ comparison: Comparison,
        _ right: ColumnExpression<E, Self>
    ) -> Condition<E>
    /// An operand compared with a value.
    static func compare<E: Entity>(
        _ left: ColumnExpression<E, Self>, _ comparison: Comparison, _ value: Self
    ) -> Condition<E>
    /// The columns of an entity that have such values.
    static func fields<E: ScopeEntity>(of entity: E.Type) -> [Field<E, Self>]
    /// A random operand.
    static func operand(
        _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<Self>
    static func random(_ values: inout RandomValues) -> Self
    var datum: Datum { get }
}

/// Values that columns hold as they are or not at all.
package protocol WrappedScopeValue: ScopeValue, ColumnValue {
    static var optionalComparisons: [Comparison] { get }
    static var optionalComparisonsWithValues: [Comparison] { get }
    static func compareOptionals<E: Entity>(
        _ left: ColumnExpression<E, Self?>, _ comparison: Comparison,
        _ right: ColumnExpression<E, Self?>
    ) -> Condition<E>
    static func compareOptional<E: Entity>(
        _ left: ColumnExpression<E, Self?>, _ comparison: Comparison, _ value: Self
    ) -> Condition<E>
    static func optionalFields<E: ScopeEntity>(of entity: E.Type) -> [Field<E, Self?>]
    static func optionalOperand(
        _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<Self?>
}

extension Optional: ScopeValue where Wrapped: WrappedScopeValue {
    package static var comparisons: [Comparison] { Wrapped.optionalComparisons }
    package static var comparisonsWithValues: [Comparison] {
        Wrapped.optionalComparisonsWithValues
    }

    package static func compare<E: Entity>(
        _ left: ColumnExpression<E, Self>, _ comparison: Comparison,
        _ right: ColumnExpression<E, Self>
    ) -> Condition<E> { Wrapped.compareOptionals(left, comparison, right) }

    package static func compare<E: Entity>(
        _ left: ColumnExpression<E, Self>, _ comparison: Comparison, _ value: Self
    ) -> Condition<E> {
        guard let value else { return comparison == .notEqual ? left != nil : left == nil }
        return Wrapped.compareOptional(left, comparison, value)
    }

    package static func fields<E: ScopeEntity>(of entity: E.Type) -> [Field<E, Self>] {
        Wrapped.optionalFields(of: entity)
    }

    package static func operand(
        _ generator: inout ScopeGenerator, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<Self> { Wrapped.optionalOperand(&generator, scope, depth) }

    package static func random(_ values: inout RandomValues) -> Self {
        values.optional { Wrapped.random(&$0) }
    }

    package var datum: Datum { map(\.datum) ?? .none }
}
