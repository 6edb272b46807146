import SkiathosStore

/// The rows of a query, put together by what they have in common.
///
/// ```swift
/// let revenue = Invoice.grouped { ($0.country, $0.date.year) }
///     .having { $0.total.sum > 100 }
///     .order { $0.total.sum.descending }
///     .select { ($0.total.sum, $0.id.count) }
/// for (key, value) in try dal.read({ try revenue.all(in: $0) }) {
///     let (country, year) = key
///     let (total, count) = value
/// }
/// // SELECT "country", skiathos_year("date"), total("total"), count("id") FROM "invoice"
/// // GROUP BY 1, 2 HAVING (total("total") > 100) ORDER BY total("total") DESC, …
/// ```
public struct Grouping<E: Entity, each Key: Sendable>: Sendable {
    private var query: Query<E>
    private let keys: OperandList<E, repeat each Key>
    private var condition: Condition<E>?

    init(_ query: Query<E>, _ keys: OperandList<E, repeat each Key>) {
        self.query = query
        self.keys = keys
    }

    /// Only the groups that meet a condition, which is about keys and aggregates.
    public func having(_ condition: (E.Columns) -> Condition<E>) -> Grouping {
        var copy = self
        let new = condition(E.columns)
        copy.condition = copy.condition.map { $0 && new } ?? new
        return copy
    }

    /// Sorts the groups, by keys or aggregates; those that are equal come in the order of the keys.
    public func order(_ key: (E.Columns) -> Ordering<E>) -> Grouping {
        with { $0.order(key) }
    }

    /// Sorts the groups by several keys, the most important first.
    ///
    /// ```swift
    /// .order { [$0.total.sum.descending, $0.country.ascending] }
    /// ```
    public func order(_ keys: (E.Columns) -> [Ordering<E>]) -> Grouping {
        with { $0.order(keys) }
    }

    /// Returns at most this many groups, at least 0.
    public func limit(_ count: Int?) -> Grouping { with { $0.limit(count) } }

    /// Passes over this many groups, at least 0.
    public func offset(_ count: Int) -> Grouping { with { $0.offset(count) } }

    /// Computes aggregates of each group; they come with the keys of the group.
    ///
    /// - Throws: when it is run, `StoreError` with code `invalidRequest` if an operand, a sort key or
    ///   the condition of `having` uses what is neither an aggregate nor one of the keys, since rows of a
    ///   group may differ in it.
    public func select<each Operand: QueryOperand>(
        _ operands: (E.Columns) -> (repeat each Operand)
    ) -> Selection<E, (key: (repeat each Key), value: (repeat (each Operand).Value))> {
        let values = OperandList<E, repeat (each Operand).Value>(
            repeat each operands(E.columns))
        let keys = keys
        let results = keys.sources.flatMap { groups in values.sources.map { groups + $0 } }
        let count = (try? keys.sources.get().count) ?? 0
        return Selection(
            query: query, results: results, groups: keys.sources, having: condition,
            decode: { row in
                (key: try keys.decode(row), value: try values.decode(row, from: count))
            })
    }

    private func with(_ change: (Query<E>) -> Query<E>) -> Grouping {
        var copy = self
        copy.query = change(query)
        return copy
    }
}

extension Query {
    /// Puts the rows together by what they have in common.
    ///
    /// The query's own sort keys, limit and offset are about the groups.
    public func grouped<each Operand: QueryOperand>(
        by keys: (E.Columns) -> (repeat each Operand)
    ) -> Grouping<E, repeat (each Operand).Value> {
        Grouping(
            self,
            OperandList<E, repeat (each Operand).Value>(repeat each keys(E.columns)))
    }

    /// Computes aggregates of all rows together.
    ///
    /// ```swift
    /// let (total, largest) = try Invoice.query.aggregate({ ($0.total.sum, $0.total.max) }, in: context)
    /// // SELECT total("total"), max("total") FROM "invoice"
    /// ```
    ///
    /// - Throws: `DataAccessError` with code `invalidRequest` if an operand is no aggregate, or the
    ///   query has a limit or an offset, which would be about the one result.
    public func aggregate<each Operand: QueryOperand>(
        _ operands: (E.Columns) -> (repeat each Operand), in context: some QueryContext
    ) throws -> (repeat (each Operand).Value) {
        let list = OperandList<E, repeat (each Operand).Value>(
            repeat each operands(E.columns))
        let isUsable = try list.sources.get().allSatisfy(\.containsAggregate)
        guard isUsable else {
            throw DataAccessError(
                .invalidRequest,
                "aggregate of \(E.schema.typeName) asks for what may differ from row to row. Ask for aggregates such as sum or max."
            )
        }
        let selection = Selection(
            query: with { $0.orderings = [] }, results: list.sources, decode: list.decode)
        guard let row = try selection.first(in: context) else {
            preconditionFailure("The backend returned no row for aggregates of all rows.")
        }
        return row
    }
}

extension Entity {
    /// Puts all rows together by what they have in common.
    public static func grouped<each Operand: QueryOperand>(
        by keys: (Columns) -> (repeat each Operand)
    ) -> Grouping<Self, repeat (each Operand).Value> {
        query.grouped(by: keys)
    }
}
