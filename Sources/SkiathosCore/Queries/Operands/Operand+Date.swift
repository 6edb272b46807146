public import SkiathosPlatformFoundation
import SkiathosStore

/// Parts of dates are those of the Gregorian calendar in Coordinated Universal Time.
extension QueryOperand where Value == Date {
    /// The year, from 1 to 9999.
    public var year: ColumnExpression<Root, Int> { part(.year) }
    /// The month, from 1 to 12.
    public var month: ColumnExpression<Root, Int> { part(.month) }
    /// The day of the month, from 1 to 31.
    public var day: ColumnExpression<Root, Int> { part(.day) }
    /// The day of the week, from 1 for Sunday to 7.
    public var weekday: ColumnExpression<Root, Int> { part(.weekday) }
    /// The hour, from 0 to 23.
    public var hour: ColumnExpression<Root, Int> { part(.hour) }
    /// The minute, from 0 to 59.
    public var minute: ColumnExpression<Root, Int> { part(.minute) }
    /// The second, from 0 to 59.
    public var second: ColumnExpression<Root, Int> { part(.second) }

    /// The date a number of seconds later, or earlier for a negative one.
    ///
    /// Selecting one outside the years 1 to 9999 fails the query with the code `invalidValue`.
    public func adding(_ seconds: Double) -> ColumnExpression<Root, Date> {
        let operand = expression
        let interval = Result {
            StoreExpression.value(try StoreValue(seconds, Coding.of(Double.self)))
        }
        return ColumnExpression(
            operand.source.flatMap { date in
                interval.map { .arithmetic(.add, date, $0, .real) }
            }, operand.coding)
    }

    /// The seconds from another date to this one.
    public func timeIntervalSince<Other: QueryOperand>(
        _ other: Other
    ) -> ColumnExpression<Root, Double> where Other.Root == Root, Other.Value == Date {
        .combining(expression, other.expression, ValueCoding(Coding.of(Double.self))) {
            .arithmetic(.subtract, $0, $1, .real)
        }
    }

    private func part(_ part: StoreFunction.DatePart) -> ColumnExpression<Root, Int> {
        expression.mapping(ValueCoding(Coding.of(Int.self))) { .call(.date(part), [$0]) }
    }
}

/// Parts of dates that may be `nil`.
extension QueryOperand where Value == Date? {
    /// The year, from 1 to 9999.
    public var year: ColumnExpression<Root, Int?> { part(.year) }
    /// The month, from 1 to 12.
    public var month: ColumnExpression<Root, Int?> { part(.month) }
    /// The day of the month, from 1 to 31.
    public var day: ColumnExpression<Root, Int?> { part(.day) }
    /// The day of the week, from 1 for Sunday to 7.
    public var weekday: ColumnExpression<Root, Int?> { part(.weekday) }
    /// The hour, from 0 to 23.
    public var hour: ColumnExpression<Root, Int?> { part(.hour) }

    private func part(_ part: StoreFunction.DatePart) -> ColumnExpression<Root, Int?> {
        expression.mapping(ValueCoding(Coding.of(Int?.self))) { .call(.date(part), [$0]) }
    }
}
