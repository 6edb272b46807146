public import SkiathosPlatformFoundation
import SkiathosStore

/// Types of columns that can be summed, also where a value may be missing.
///
/// ```swift
/// // var stars: Int8
/// let stars: Int = try Review.sum(of: { $0.stars }, in: context)
/// ```
///
/// A number type of one's own has sums once it conforms:
///
/// ```swift
/// extension Cents: SummedColumnValue {}
/// ```
public protocol SummedColumnValue: Sendable {
    /// The type of the sum, which has at least 64 bits for the numbers of the standard library.
    associatedtype Sum: Numeric & Sendable = Self

    /// The same expression, read as its sum is. Code outside of this package neither replaces nor
    /// calls it.
    static func _summed<Root: Entity>(
        _ operand: ColumnExpression<Root, Self>
    ) -> ColumnExpression<Root, Sum>
}

extension SummedColumnValue where Sum == Self {
    /// The expression itself.
    public static func _summed<Root: Entity>(
        _ operand: ColumnExpression<Root, Self>
    ) -> ColumnExpression<Root, Self> { operand }
}

extension SummedColumnValue where Self: FixedWidthInteger, Sum == Int {
    /// The expression, read as `Int`.
    public static func _summed<Root: Entity>(
        _ operand: ColumnExpression<Root, Self>
    ) -> ColumnExpression<Root, Int> {
        ColumnExpression(operand.source, ValueCoding(Coding.of(Int.self)), operand.extent)
    }
}

extension Int8: SummedColumnValue {
    /// The type of the sum.
    public typealias Sum = Int
}

extension Int16: SummedColumnValue {
    /// The type of the sum.
    public typealias Sum = Int
}

extension Int32: SummedColumnValue {
    /// The type of the sum.
    public typealias Sum = Int
}

extension UInt8: SummedColumnValue {
    /// The type of the sum.
    public typealias Sum = Int
}

extension UInt16: SummedColumnValue {
    /// The type of the sum.
    public typealias Sum = Int
}

extension UInt32: SummedColumnValue {
    /// The type of the sum.
    public typealias Sum = Int
}

extension Int64: SummedColumnValue {}
extension UInt: SummedColumnValue {}
extension UInt64: SummedColumnValue {}
extension Double: SummedColumnValue {}
extension Decimal: SummedColumnValue {}

extension Int: SummedColumnValue {
    /// The expression itself.
    public static func _summed<Root: Entity>(
        _ operand: ColumnExpression<Root, Int>
    ) -> ColumnExpression<Root, Int> { operand }
}

extension Float: SummedColumnValue {
    /// The expression, read as `Double`.
    public static func _summed<Root: Entity>(
        _ operand: ColumnExpression<Root, Float>
    ) -> ColumnExpression<Root, Double> {
        ColumnExpression(operand.source, ValueCoding(Coding.of(Double.self)), operand.extent)
    }
}

extension Optional: SummedColumnValue where Wrapped: SummedColumnValue {
    /// The expression, read as the sum of the values that are not `nil` is.
    public static func _summed<Root: Entity>(
        _ operand: ColumnExpression<Root, Wrapped?>
    ) -> ColumnExpression<Root, Wrapped.Sum> {
        Wrapped._summed(
            ColumnExpression(operand.source, operand.coding.unwrapped, operand.extent))
    }
}
