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
    ///   - root: The entity whose query it is for, where the compiler cannot see it: among the
    ///     results of a selection.
    ///   - operand: The aggregate.
    /// - Throws: when the query is run, `DataAccessError` with code `invalidRequest` if the
    ///   operand is no aggregate, or this query has a limit or an offset.
    public func value<Root: Entity, Operand: QueryOperand>(
        for root: Root.Type = Root.self, of operand: (E.Columns) -> Operand
    ) -> ColumnExpression<Root, Operand.Value> where Operand.Root == E {
        let operand = operand(E.columns).expression
        return ColumnExpression(subquery(operand), operand.coding)
    }

    /// One aggregate that may be `nil`, such as the mean of no rows, as a value in another
    /// query.
    ///
    /// A comparison with `nil` is false. Among the results of a selection write `.optional`
    /// behind it.
    ///
    /// - Throws: when the query is run, `DataAccessError` with code `invalidRequest`, as for other
    ///   aggregates.
    public func value<Root: Entity, Operand: QueryOperand>(
        for root: Root.Type = Root.self, of operand: (E.Columns) -> Operand
    ) -> ColumnExpression<Root, Operand.Value.Wrapped>
    where Operand.Root == E, Operand.Value: OptionalColumnValue, Operand.Value.Wrapped: Sendable {
        let operand = operand(E.columns).expression
        return ColumnExpression(subquery(operand), operand.coding.unwrapped)
    }

    private func subquery<Value>(
        _ operand: ColumnExpression<E, Value>
    ) -> Result<StoreExpression, any Error> {
        Result {
            guard case .aggregate(let aggregate) = try operand.source.get(), rowLimit == nil,
                rowOffset == 0
            else { throw Self.notOneValue }
            let predicate = try condition.predicate.get()
            return .subquery(
                StoreSubquery(
                    E.schema, aggregate,
                    where: predicate == .constant(true) ? nil : predicate))
        }
    }

    private static var notOneValue: any Error {
        DataAccessError(
            .invalidRequest,
            "A query of \(E.schema.typeName) is used as a value, but asks for several rows. Ask for an aggregate such as max or count, without limit and offset."
        )
    }
}
