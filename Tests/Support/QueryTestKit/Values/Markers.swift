import Skiathos

/// What marks columns of other rows, in one place.
///
/// A copy of this file whose switches are `false` lets the queries be made with a library that has no
/// such marks: they are then about one entity.
package enum Marks {
    /// Whether columns of an outer row of another entity can be used.
    package static let areKnown = true
    /// Whether an operand can be compared with the results of a selection.
    package static let haveSelections = true
    /// Whether a missing value is one of the results of a selection that has missing values, as it is
    /// one of an array of values that holds `nil`.
    package static let haveOptionalSelections = true

    static func outer<E: Entity, R: Entity, V: Sendable>(
        _ operand: ColumnExpression<E, V>
    ) -> ColumnExpression<R, V> { operand.outer }

    static func outer<E: Entity, R: Entity>(_ condition: Condition<E>) -> Condition<R> {
        condition.outer
    }

    static func isAmong<R: Entity, E: Entity, V: Sendable>(
        _ operand: ColumnExpression<R, V>, _ selection: Selection<E, V>
    ) -> Condition<R> { operand.in(selection) }
}
