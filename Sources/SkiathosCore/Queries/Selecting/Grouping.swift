import SkiathosStore

/// The rows of a query, grouped by keys.
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
/// // SELECT "country", skiathos_year("date"), skiathos_number(total("total")), count("id") FROM "invoice"
/// // GROUP BY 1, 2 HAVING (skiathos_number(total("total")) > 100) ORDER BY … DESC, …
/// ```
public struct Grouping<E: Entity, each Key: Sendable>: Sendable {
    private var query: Query<E>
    private let keys: OperandList<E, repeat each Key>
    private var condition: Condition<E>?

    init(_ query: Query<E>, _ keys: OperandList<E, repeat each Key>) {
        self.query = query
        self.keys = keys
    }

    /// Only the groups that meet a condition on keys and aggregates.
    public func having(@ConditionBuilder<E> _ condition: (E.Columns) -> Condition<E>) -> Grouping {
        var copy = self
        let new = RowClosure.run(E.self, condition)
        copy.condition = copy.condition.map { $0 && new } ?? new
        if query.isLimited { copy.query.condition = query.refused(.having) }
        return copy
    }

    /// Sorts the groups by keys or aggregates, the most important first; equal ones come in
    /// the order of the keys.
    ///
    /// ```swift
    /// .order { $0.total.sum.descending }
    /// .order { [$0.total.sum.descending, $0.country.ascending] }
    /// ```
    public func order(@OrderBuilder<E> _ keys: (E.Columns) -> [Ordering<E>]) -> Grouping {
        with { $0.order(keys) }
    }

    /// Returns at most this many groups, at least 0.
    public func limit(_ count: Int?) -> Grouping { with { $0.limit(count) } }

    /// Skips this many groups, at least 0.
    public func offset(_ count: Int) -> Grouping { with { $0.offset(count) } }

    /// Computes aggregates of each group; they come with the keys of the group.
    ///
    /// - Throws: when it is run, `StoreError` with code `invalidRequest` if an operand, a sort
    ///   key or the condition of `having` uses an expression that is neither an aggregate nor
    ///   one of the keys, since rows of a group may differ in it.
    public func select<each Operand: QueryOperand>(
        _ operands: (E.Columns) -> (repeat each Operand)
    ) -> Selection<E, (key: (repeat each Key), value: (repeat (each Operand).Value))> {
        let values = RowClosure.run(E.self) {
            OperandList<E, repeat (each Operand).Value>(repeat each operands($0))
        }
        let (keys, count) = (keys, keyCount)
        return Selection(
            query: query, results: results(values.sources), groups: keys.sources, having: condition,
            decode: { row in
                (key: try keys.decode(row), value: try values.decode(row, from: count))
            })
    }

    /// Computes one aggregate of each group; it comes with the keys of the group.
    ///
    /// ```swift
    /// let counts = try User.grouped { $0.city }.select { $0.id.count }.all(in: context)
    /// Dictionary(uniqueKeysWithValues: counts.map { ($0.key, $0.value) })   // ["Athens": 2, …]
    /// ```
    @_disfavoredOverload
    public func select<First: QueryOperand>(
        _ operands: (E.Columns) -> First
    ) -> Selection<E, (key: (repeat each Key), value: First.Value)> {
        let values = RowClosure.run(E.self) { columns in
            let first = operands(columns)
            return OperandList<E, First.Value>(first)
        }
        let (keys, count) = (keys, keyCount)
        return Selection(
            query: query, results: results(values.sources), groups: keys.sources, having: condition,
            decode: { (key: try keys.decode($0), value: try values.decode($0, from: count)) })
    }

    /// Computes two aggregates of each group; they come with the keys of the group.
    @_disfavoredOverload
    public func select<First: QueryOperand, Second: QueryOperand>(
        _ operands: (E.Columns) -> (First, Second)
    ) -> Selection<E, (key: (repeat each Key), value: (First.Value, Second.Value))> {
        let values = RowClosure.run(E.self) { columns in
            let (first, second) = operands(columns)
            return OperandList<E, First.Value, Second.Value>(first, second)
        }
        let (keys, count) = (keys, keyCount)
        return Selection(
            query: query, results: results(values.sources), groups: keys.sources, having: condition,
            decode: { (key: try keys.decode($0), value: try values.decode($0, from: count)) })
    }

    /// Computes three aggregates of each group; they come with the keys of the group.
    @_disfavoredOverload
    public func select<First: QueryOperand, Second: QueryOperand, Third: QueryOperand>(
        _ operands: (E.Columns) -> (First, Second, Third)
    ) -> Selection<E, (key: (repeat each Key), value: (First.Value, Second.Value, Third.Value))> {
        let values = RowClosure.run(E.self) { columns in
            let (first, second, third) = operands(columns)
            return OperandList<E, First.Value, Second.Value, Third.Value>(first, second, third)
        }
        let (keys, count) = (keys, keyCount)
        return Selection(
            query: query, results: results(values.sources), groups: keys.sources, having: condition,
            decode: { (key: try keys.decode($0), value: try values.decode($0, from: count)) })
    }

    /// Computes four aggregates of each group; they come with the keys of the group.
    public func select<
        First: QueryOperand, Second: QueryOperand, Third: QueryOperand, Fourth: QueryOperand
    >(
        _ operands: (E.Columns) -> (First, Second, Third, Fourth)
    ) -> Selection<
        E, (key: (repeat each Key), value: (First.Value, Second.Value, Third.Value, Fourth.Value))
    > {
        let values = RowClosure.run(E.self) { columns in
            let (first, second, third, fourth) = operands(columns)
            return OperandList<E, First.Value, Second.Value, Third.Value, Fourth.Value>(
                first, second, third, fourth)
        }
        let (keys, count) = (keys, keyCount)
        return Selection(
            query: query, results: results(values.sources), groups: keys.sources, having: condition,
            decode: { (key: try keys.decode($0), value: try values.decode($0, from: count)) })
    }

    /// How many results of a row are keys.
    private var keyCount: Int { (try? keys.sources.get().count) ?? 0 }

    /// The keys, followed by values.
    private func results(
        _ values: Result<[StoreExpression], any Error>
    ) -> Result<[StoreExpression], any Error> {
        keys.sources.flatMap { groups in values.map { groups + $0 } }
    }

    private func with(_ change: (Query<E>) -> Query<E>) -> Grouping {
        var copy = self
        copy.query = change(query)
        return copy
    }
}

extension Query {
    /// Groups the rows by keys.
    ///
    /// The query's own sort keys apply to the groups.
    ///
    /// - Throws: when the groups are fetched, `DataAccessError` with code `invalidRequest` if the query
    ///   has a limit or an offset: those of the grouping count groups.
    public func grouped<each Operand: QueryOperand>(
        by keys: (E.Columns) -> (repeat each Operand)
    ) -> Grouping<E, repeat (each Operand).Value> {
        let list = RowClosure.run(E.self) {
            OperandList<E, repeat (each Operand).Value>(repeat each keys($0))
        }
        return Grouping(groupable, list)
    }

    /// The query for groups.
    var groupable: Query {
        isLimited ? with { $0.condition = $0.refused(.grouped) } : self
    }

    /// Computes an aggregate of all rows together.
    ///
    /// ```swift
    /// let largest = try Invoice.query.aggregate({ $0.total.max }, in: context) ?? 0
    /// // SELECT max("total") FROM "invoice"
    /// ```
    ///
    /// - Throws: `DataAccessError` with code `invalidRequest` if the operand is no aggregate,
    ///   or the query has a limit or an offset, which would apply to the one result.
    public func aggregate<Operand: QueryOperand>(
        _ operand: (E.Columns) -> Operand, in context: some QueryContext
    ) throws -> Operand.Value {
        // Beside the form for several results, since `??` takes no pack of one value.
        try aggregates(
            RowClosure.run(E.self) { OperandList<E, Operand.Value>(operand($0)) }, in: context)
    }

    /// Computes aggregates of all rows together.
    ///
    /// ```swift
    /// let (total, largest) = try Invoice.query.aggregate({ ($0.total.sum, $0.total.max) }, in: context)
    /// // SELECT skiathos_number(total("total")), max("total") FROM "invoice"
    /// ```
    ///
    /// - Throws: `DataAccessError` with code `invalidRequest` if an operand is no aggregate,
    ///   or the query has a limit or an offset, which would apply to the one result.
    public func aggregate<each Operand: QueryOperand>(
        _ operands: (E.Columns) -> (repeat each Operand), in context: some QueryContext
    ) throws -> (repeat (each Operand).Value) {
        let list = RowClosure.run(E.self) {
            OperandList<E, repeat (each Operand).Value>(repeat each operands($0))
        }
        return try aggregates(list, in: context)
    }

    private func aggregates<each Value: Sendable>(
        _ list: OperandList<E, repeat each Value>, in context: some QueryContext
    ) throws -> (repeat each Value) {
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
    /// Groups all rows by keys.
    public static func grouped<each Operand: QueryOperand>(
        by keys: (Columns) -> (repeat each Operand)
    ) -> Grouping<Self, repeat (each Operand).Value> {
        query.grouped(by: keys)
    }
}
