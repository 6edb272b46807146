import SkiathosStore

extension Query {
    /// One aggregate of the rows, as a value in another query of any entity.
    ///
    /// ```swift
    /// let mean = Product.query
    /// try Product.all(where: { $0.price > mean.value { $0.price.average } }, in: context)
    /// // … WHERE ("price" > (SELECT skiathos_average("price") FROM "product" AS "skiathos_1_product"))
    /// ```
    ///
    /// It is computed once for the whole query, unless it is made inside of a closure and compares with
    /// the columns of that closure:
    ///
    /// ```swift
    /// Film.where { f in f.length == Film.where { $0.genre == f.genre }.value { $0.length.max } }
    /// // … WHERE ("length" = (SELECT max("skiathos_1_film"."length") FROM "film" AS "skiathos_1_film"
    /// // WHERE ("skiathos_1_film"."genre" = "film"."genre")))
    /// ```
    ///
    /// Sort keys have no effect.
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
        let operand = RowClosure.run(E.self) { operand($0).expression }
        return ColumnExpression(subquery(operand, in: root), operand.coding)
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
        let operand = RowClosure.run(E.self) { operand($0).expression }
        return ColumnExpression(subquery(operand, in: root), operand.coding.unwrapped)
    }

    private func subquery<Root: Entity, Value>(
        _ operand: ColumnExpression<E, Value>, in root: Root.Type
    ) -> Result<StoreExpression, any Error> {
        Result {
            let source = try operand.source.get()
            if case .outer(_, .aggregate) = source { throw Self.notItsOwn }
            guard case .aggregate(let aggregate) = source, !isLimited else {
                throw Self.notOneValue
            }
            let predicate = try condition.predicate.get()
            let value = StoreExpression.subquery(
                StoreSubquery(
                    E.schema, aggregate,
                    where: predicate == .constant(true) ? nil : predicate))
            // Inside of further closures, the outermost row has a place when these have ended.
            return RowClosure.isInside ? value : QueryRow.outermost.of(root, value)
        }
    }

    private static var notItsOwn: any Error {
        DataAccessError(
            .invalidRequest,
            "A query of \(E.schema.typeName) is used as a value, but its aggregate is one of the rows around. Ask for an aggregate of the columns that the closure of 'value' gets."
        )
    }

    private static var notOneValue: any Error {
        DataAccessError(
            .invalidRequest,
            "A query of \(E.schema.typeName) is used as a value, but asks for several rows. Ask for an aggregate such as max or count, without limit and offset."
        )
    }
}
