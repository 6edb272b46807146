public import SkiathosPlatformFoundation
import SkiathosStore

/// Aggregates of several rows, for the results, sort keys and `having` of a grouping, and for
/// `aggregate`.
///
/// ```swift
/// try Invoice.grouped { $0.country }.select { ($0.total.sum, $0.id.count) }.all(in: context)
/// // SELECT "country", skiathos_number(total("total")), count("id") FROM "invoice" GROUP BY 1 ORDER BY "country"
/// ```
extension QueryOperand {
    /// The number of rows in which the operand has a value.
    public var count: ColumnExpression<Root, Int> { counted(isDistinct: false) }

    /// The number of different values.
    public var distinctCount: ColumnExpression<Root, Int> { counted(isDistinct: true) }

    private func counted(isDistinct: Bool) -> ColumnExpression<Root, Int> {
        let storage = expression.coding.storage
        return expression.mapping(ValueCoding(Coding.of(Int.self))) {
            .aggregate(StoreAggregate(.count, $0, storage, isDistinct: isDistinct))
        }
    }

    fileprivate func aggregated<Result>(
        _ function: StoreAggregate.Function, _ coding: ValueCoding<Result>
    ) -> ColumnExpression<Root, Result> {
        let isOfOrder = function == .minimum || function == .maximum
        let (operand, storage) = (expression, expression.coding.storage)
        return (isOfOrder ? operand.ordered : operand).mapping(coding) {
            .aggregate(StoreAggregate(function, $0, storage))
        }
    }
}

extension QueryOperand where Value: SummedColumnValue {
    /// The sum of the values that are not `nil`; zero if there are none.
    ///
    /// Integers of fewer than 64 bits are summed as `Int`, `Float` as `Double`.
    ///
    /// A sum that its type cannot hold fails the query with the code `invalidValue`.
    public var sum: ColumnExpression<Root, Value.Sum> {
        let operand = Value._summed(expression)
        return operand.aggregated(.sum, operand.coding)
    }
}

extension QueryOperand where Value: Comparable {
    /// The smallest value; `nil` for no rows.
    public var min: ColumnExpression<Root, Value?> {
        aggregated(.minimum, expression.coding.optional)
    }
    /// The largest value; `nil` for no rows.
    public var max: ColumnExpression<Root, Value?> {
        aggregated(.maximum, expression.coding.optional)
    }
}

extension QueryOperand where Value: OptionalColumnValue, Value.Wrapped: Comparable {
    /// The smallest value; `nil` if there is none.
    public var min: ColumnExpression<Root, Value> { aggregated(.minimum, expression.coding) }
    /// The largest value; `nil` if there is none.
    public var max: ColumnExpression<Root, Value> { aggregated(.maximum, expression.coding) }
}

/// Types whose mean is a floating point number, also where a value may be missing.
public protocol AveragedColumnValue {}
extension Int: AveragedColumnValue {}
extension Int64: AveragedColumnValue {}
extension Int32: AveragedColumnValue {}
extension Int16: AveragedColumnValue {}
extension Int8: AveragedColumnValue {}
extension UInt: AveragedColumnValue {}
extension UInt64: AveragedColumnValue {}
extension UInt32: AveragedColumnValue {}
extension UInt16: AveragedColumnValue {}
extension UInt8: AveragedColumnValue {}
extension Double: AveragedColumnValue {}
extension Float: AveragedColumnValue {}
extension Optional: AveragedColumnValue where Wrapped: AveragedColumnValue {}

extension QueryOperand where Value: AveragedColumnValue {
    /// The mean of the values that are not `nil`; `nil` if there are none.
    public var average: ColumnExpression<Root, Double?> {
        aggregated(.average, ValueCoding(Coding.of(Double?.self)))
    }
}

extension QueryOperand where Value == Decimal {
    /// The mean; `nil` for no rows.
    public var average: ColumnExpression<Root, Decimal?> {
        aggregated(.average, ValueCoding(Coding.of(Decimal?.self)))
    }
}

extension QueryOperand where Value == Decimal? {
    /// The mean of the values that are not `nil`; `nil` if there are none.
    public var average: ColumnExpression<Root, Decimal?> {
        aggregated(.average, ValueCoding(Coding.of(Decimal?.self)))
    }
}
