import SkiathosStore

/// Window functions: values that a row gets from its position among other rows of the result.
///
/// They are for the results and the sort keys of a selection, and among groups for those of a
/// grouping.
///
/// They are computed after the condition, and before limit and offset: a query for the first ten
/// rows ranks all of them.
extension Ordering {
    /// One more than the number of rows that come before; equal rows have the same rank.
    ///
    /// ```swift
    /// try Product.select { ($0.name, $0.price.descending.rank(within: .by($0.category))) }
    ///     .all(in: context)
    /// // SELECT "name", rank() OVER (PARTITION BY "category" ORDER BY "price" DESC) FROM "product"
    /// ```
    public func rank(within partition: Partition<E> = .all) -> ColumnExpression<E, Int> {
        place(.rank, partition)
    }

    /// One more than the number of different values that come before.
    public func denseRank(within partition: Partition<E> = .all) -> ColumnExpression<E, Int> {
        place(.denseRank, partition)
    }

    /// The number of the row, from 1; equal rows are numbered in the order of their IDs.
    public func rowNumber(within partition: Partition<E> = .all) -> ColumnExpression<E, Int> {
        place(.rowNumber, partition)
    }

    private func place(
        _ function: StoreWindow.Function, _ partition: Partition<E>
    ) -> ColumnExpression<E, Int> {
        partition.expression(.success(function), by: [self], ValueCoding(Coding.of(Int.self)))
    }
}

extension QueryOperand {
    /// The value in the row some rows before; none in the first rows.
    ///
    /// ```swift
    /// try Invoice.select { ($0.date, $0.total, $0.total.previous(by: $0.date.ascending)) }
    ///     .all(in: context)
    /// // SELECT "date", "total", lag("total", 1) OVER (ORDER BY "date", "id") FROM "invoice"
    /// ```
    ///
    /// - Parameters:
    ///   - places: How many rows before, at least 1.
    ///   - keys: The order of the rows; equal ones come in the order of their IDs.
    ///   - partition: Among which rows.
    public func previous(
        _ places: Int = 1, by keys: Ordering<Root>..., within partition: Partition<Root> = .all
    ) -> ColumnExpression<Root, Value?> {
        neighbour(places, keys, partition, expression.coding.optional) { .previous($0, $1) }
    }

    /// The value in the row some rows after; none in the last rows.
    public func next(
        _ places: Int = 1, by keys: Ordering<Root>..., within partition: Partition<Root> = .all
    ) -> ColumnExpression<Root, Value?> {
        neighbour(places, keys, partition, expression.coding.optional) { .next($0, $1) }
    }

    /// An aggregate of the rows of a partition, beside each of its rows.
    ///
    /// ```swift
    /// try Product.select { ($0.name, $0.price, $0.price.average.total(within: .by($0.category))) }
    ///     .all(in: context)
    /// // SELECT "name", "price", skiathos_average("price") OVER (PARTITION BY "category") FROM "product"
    /// ```
    ///
    /// - Throws: when the query is run, `DataAccessError` with code `invalidRequest` if the
    ///   operand is no aggregate, such as a sum.
    public func total(within partition: Partition<Root> = .all) -> ColumnExpression<Root, Value> {
        partition.expression(aggregateFunction, by: [], expression.coding)
    }

    /// An aggregate of the rows up to and including this one.
    ///
    /// ```swift
    /// try Invoice.select { ($0.date, $0.total.sum.running(by: $0.date.ascending)) }
    ///     .all(in: context)
    /// // SELECT "date", skiathos_number(total("total") OVER (ORDER BY "date", "id" …)) FROM "invoice"
    /// ```
    ///
    /// - Parameters:
    ///   - keys: The order of the rows; equal ones come in the order of their IDs.
    ///   - partition: Among which rows.
    /// - Throws: when the query is run, `DataAccessError` with code `invalidRequest` if the
    ///   operand is no aggregate, such as a sum.
    public func running(
        by keys: Ordering<Root>..., within partition: Partition<Root> = .all
    ) -> ColumnExpression<Root, Value> {
        partition.expression(
            keys.isEmpty ? .failure(withoutOrder("running")) : aggregateFunction, by: keys,
            expression.coding)
    }

    fileprivate func neighbour<Other>(
        _ places: Int, _ keys: [Ordering<Root>], _ partition: Partition<Root>,
        _ coding: ValueCoding<Other>,
        _ function: (StoreExpression, Int) -> StoreWindow.Function
    ) -> ColumnExpression<Root, Other> {
        let known = Result<StoreWindow.Function, any Error> {
            guard places >= 1 else { throw notBefore(places) }
            guard !keys.isEmpty else { throw withoutOrder("previous and next") }
            return function(try expression.source.get(), places)
        }
        return partition.expression(known, by: keys, coding)
    }

    private var aggregateFunction: Result<StoreWindow.Function, any Error> {
        expression.source.flatMap { source in
            guard case .aggregate(let aggregate) = source else {
                return .failure(
                    DataAccessError(
                        .invalidRequest,
                        "A query of \(Root.schema.typeName) asks for the total of something that is no aggregate. Write an aggregate before it, such as .sum.total()."
                    ))
            }
            return .success(.aggregate(aggregate))
        }
    }

    private func withoutOrder(_ function: String) -> any Error {
        DataAccessError(
            .invalidRequest,
            "A query of \(Root.schema.typeName) uses \(function) without a sort key, so that no row comes before another. Add one, such as by: $0.id.ascending."
        )
    }

    private func notBefore(_ places: Int) -> any Error {
        DataAccessError(
            .invalidRequest,
            "A query of \(Root.schema.typeName) asks for the row \(places) places away; expected at least 1."
        )
    }
}

extension QueryOperand where Value: OptionalColumnValue {
    /// The value in the row some rows before; none in the first rows.
    public func previous(
        _ places: Int = 1, by keys: Ordering<Root>..., within partition: Partition<Root> = .all
    ) -> ColumnExpression<Root, Value> {
        neighbour(places, keys, partition, expression.coding) { .previous($0, $1) }
    }

    /// The value in the row some rows after; none in the last rows.
    public func next(
        _ places: Int = 1, by keys: Ordering<Root>..., within partition: Partition<Root> = .all
    ) -> ColumnExpression<Root, Value> {
        neighbour(places, keys, partition, expression.coding) { .next($0, $1) }
    }
}
