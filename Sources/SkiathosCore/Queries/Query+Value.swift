import SkiathosStore

extension Query {
    /// One aggregate of the rows, as a value in another query of any entity.
    ///
    /// ```swift
    /// let mean = Product.query
    /// try Product.all(where: { $0.price > mean.value { $0.price.average } }, in: context)
    /// // … WHERE ("price" > (SELECT avg("price") FROM "product" AS "skiathos_1_product"))
    /// ```
    ///
    /// It is computed once for the whole query. Sort keys have no effect.
    ///
    /// - Parameters:
    ///   - root: The entity whose query it is for, where the compiler cannot see it: among the results
    ///     of a selection.
    ///   - operand: The aggregate.
    /// - Throws: when the query is run, `DataAccessError` with code `invalidRequest` if the operand is no
    ///   aggregate, or this query has a limit or an offset.
    public func value<Root: Entity, Operand: QueryOperand>(
        for root: Root.Type = Root.self, of operand: (E.Columns) -> Operand
    ) -> ColumnExpression<Root, Operand.Value> where Operand.Root == E {
        let operand = operand(E.columns).expression
        let source = operand.source.flatMap { source in
            condition.predicate.flatMap { predicate in
                guard case .aggregate(let aggregate) = source, rowLimit == nil, rowOffset == 0
                else {
                    return Result<StoreExpression, any Error>.failure(Self.notOneValue)
                }
                return .success(
                    .subquery(
                        StoreSubquery(
                            E.schema, aggregate,
                            where: predicate == .constant(true) ? nil : predicate)))
            }
        }
        return ColumnExpression<Root, Operand.Value>(source, operand.coding)
    }

    private static var notOneValue: any Error {
        DataAccessError(
            .invalidRequest,
            "A query of \(E.schema.typeName) is used as a value, but asks for several rows. Ask for an aggregate such as max or count, without limit and offset."
        )
    }
}

/// Comparing with a value that may be missing, such as the mean of no rows: then none is smaller or
/// greater.
extension QueryOperand where Value: Comparable {
    /// A smaller value than another operand's, if that has one.
    public static func < (
        left: Self, right: ColumnExpression<Root, Value?>
    ) -> Condition<Root> { left.optional.compare(.less, right) }

    /// A smaller value than another operand's or the same, if that has one.
    public static func <= (
        left: Self, right: ColumnExpression<Root, Value?>
    ) -> Condition<Root> { left.optional.compare(.lessOrEqual, right) }

    /// A greater value than another operand's, if that has one.
    public static func > (
        left: Self, right: ColumnExpression<Root, Value?>
    ) -> Condition<Root> { left.optional.compare(.greater, right) }

    /// A greater value than another operand's or the same, if that has one.
    public static func >= (
        left: Self, right: ColumnExpression<Root, Value?>
    ) -> Condition<Root> { left.optional.compare(.greaterOrEqual, right) }
}
