public import SkiathosPlatformFoundation
import SkiathosStore

/// A result that an integer or a decimal number cannot hold fails the query with the code
/// `invalidValue`; nothing wraps round. So does a selected result beyond the range of `Float`.
extension QueryOperand where Value: Numeric {
    /// The sum with a number.
    public static func + (operand: Self, value: Value) -> ColumnExpression<Root, Value> {
        operand.combined(.add, operand.expression.constant(value))
    }
    /// The sum with another operand.
    public static func + <Other: QueryOperand>(
        left: Self, right: Other
    ) -> ColumnExpression<Root, Value> where Other.Root == Root, Other.Value == Value {
        left.combined(.add, right.expression)
    }
    /// The difference from a number.
    public static func - (operand: Self, value: Value) -> ColumnExpression<Root, Value> {
        operand.combined(.subtract, operand.expression.constant(value))
    }
    /// The difference from another operand.
    public static func - <Other: QueryOperand>(
        left: Self, right: Other
    ) -> ColumnExpression<Root, Value> where Other.Root == Root, Other.Value == Value {
        left.combined(.subtract, right.expression)
    }
    /// A number minus the operand.
    public static func - (value: Value, operand: Self) -> ColumnExpression<Root, Value> {
        operand.expression.constant(value).combined(.subtract, operand.expression)
    }
    /// The product with a number.
    public static func * (operand: Self, value: Value) -> ColumnExpression<Root, Value> {
        operand.combined(.multiply, operand.expression.constant(value))
    }
    /// The product with another operand.
    public static func * <Other: QueryOperand>(
        left: Self, right: Other
    ) -> ColumnExpression<Root, Value> where Other.Root == Root, Other.Value == Value {
        left.combined(.multiply, right.expression)
    }
    /// The quotient by a number, for integers without its fraction.
    ///
    /// Dividing by zero fails the query with the code `invalidRequest`.
    public static func / (operand: Self, value: Value) -> ColumnExpression<Root, Value> {
        operand.combined(.divide, operand.expression.divisor(value))
    }
    /// The quotient by another operand, which has no value where that is zero.
    public static func / <Other: QueryOperand>(
        left: Self, right: Other
    ) -> ColumnExpression<Root, Value?> where Other.Root == Root, Other.Value == Value {
        left.combined(.divide, right.expression).optional
    }

    fileprivate func combined(
        _ operation: StoreExpression.Operator, _ other: ColumnExpression<Root, Value>
    ) -> ColumnExpression<Root, Value> {
        let operand = expression
        let storage = operand.coding.storage
        return .combining(operand, other, operand.coding) {
            .arithmetic(operation, $0, $1, storage)
        }
    }
}

extension QueryOperand where Value: BinaryInteger {
    /// The remainder of dividing by a number, with the sign of the dividend.
    ///
    /// Dividing by zero fails the query with the code `invalidRequest`.
    public static func % (operand: Self, value: Value) -> ColumnExpression<Root, Value> {
        operand.combined(.remainder, operand.expression.divisor(value))
    }
    /// The remainder of dividing by another operand; it has no value where that is zero.
    public static func % <Other: QueryOperand>(
        left: Self, right: Other
    ) -> ColumnExpression<Root, Value?> where Other.Root == Root, Other.Value == Value {
        left.combined(.remainder, right.expression).optional
    }

    /// The same number as a floating point number.
    public var asDouble: ColumnExpression<Root, Double> {
        expression.mapping(ValueCoding(Coding.of(Double.self))) { .call(.real, [$0]) }
    }

    /// The same number as a decimal number.
    public var asDecimal: ColumnExpression<Root, Decimal> {
        expression.mapping(ValueCoding(Coding.of(Decimal.self))) { .call(.decimal, [$0]) }
    }
}

extension QueryOperand where Value: BinaryFloatingPoint {
    /// The nearest whole number; halves are rounded away from zero.
    public var rounded: ColumnExpression<Root, Value> {
        let operand = expression
        return operand.mapping(operand.coding) { .call(.rounded, [$0]) }
    }
}

extension QueryOperand where Value: SignedNumeric & Comparable & NativeNumber {
    /// The number without its sign.
    public var magnitude: ColumnExpression<Root, Value> {
        let operand = expression
        return operand.mapping(operand.coding) { .call(.magnitude, [$0]) }
    }
}

/// Numbers that databases compute with themselves: all but `Decimal`.
public protocol NativeNumber {}
extension Int: NativeNumber {}
extension Int64: NativeNumber {}
extension Int32: NativeNumber {}
extension Int16: NativeNumber {}
extension Int8: NativeNumber {}
extension Double: NativeNumber {}
extension Float: NativeNumber {}

extension ColumnExpression where Value: Numeric {
    /// A divisor, which must not be zero.
    fileprivate func divisor(_ value: Value) -> ColumnExpression {
        guard value != .zero else {
            return ColumnExpression(
                .failure(
                    DataAccessError(
                        .invalidRequest,
                        "A query of \(Root.schema.typeName) divides by zero. Divide by another number."
                    )
                ), coding)
        }
        return constant(value)
    }
}
