import SkiathosStore

/// The mark of what belongs to a row around, for closures about another entity.
///
/// ```swift
/// Company.where { c in c.employees.exists { u in u.age > c.oldestAge.outer } }
/// // … WHERE (EXISTS (SELECT 1 FROM "user" AS "skiathos_1_user" WHERE
/// // "skiathos_1_user"."company" = "company"."id"
/// // AND ("skiathos_1_user"."age" > "company"."oldestAge")))
/// ```
///
/// Columns of a row of the same entity need no mark. A mark is refused when the query is run, with the
/// code `invalidRequest`, if there is no such row around.
public struct OuterMark: Sendable {
    /// For closures about another entity: `c.size.outer`.
    public let outer: Void
}

extension ColumnPath {
    /// The column as an operand of a closure about another entity.
    @_disfavoredOverload
    public subscript<Inner: Entity>(
        dynamicMember mark: KeyPath<OuterMark, Void>
    ) -> ColumnExpression<Inner, Value> { expression.outerExpression() }
}

extension ColumnExpression {
    /// The expression as an operand of a closure about another entity.
    public subscript<Inner: Entity>(
        dynamicMember mark: KeyPath<OuterMark, Void>
    ) -> ColumnExpression<Inner, Value> { outerExpression() }

    func outerExpression<Inner: Entity>() -> ColumnExpression<Inner, Value> {
        ColumnExpression<Inner, Value>(outerSource, coding)
    }

    /// The expression with the name of the row that it is about.
    var outerSource: Result<StoreExpression, any Error> {
        source.map { RowResolution(naming: RowName(0, Root.self)).resolve($0) }
    }
}

extension Condition {
    /// The condition as one of a closure about another entity.
    ///
    /// ```swift
    /// Company.where { c in c.employees.exists { u in u.age > 60 && (c.size > 10).outer } }
    /// ```
    public subscript<Inner: Entity>(
        dynamicMember mark: KeyPath<OuterMark, Void>
    ) -> Condition<Inner> {
        Condition<Inner>(
            predicate.map { RowResolution(naming: RowName(0, E.self)).resolve($0) })
    }
}
