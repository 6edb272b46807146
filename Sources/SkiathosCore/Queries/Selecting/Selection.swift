import SkiathosStore

/// Values that are computed from rows, in place of the rows themselves: a value like a query.
///
/// ```swift
/// let names = User.where { $0.age >= 18 }.select { ($0.firstname, $0.age) }
/// for (name, age) in try dal.read({ try names.all(in: $0) }) { print(name, age) }
/// // SELECT "firstname", "age" FROM "user" WHERE ("age" >= 18)
/// ```
public struct Selection<E: Entity, Row>: Sendable {
    var query: Query<E>
    let results: Result<[StoreExpression], any Error>
    var groups: Result<[StoreExpression], any Error> = .success([])
    var having: Condition<E>?
    var isDistinct = false
    /// Whether each result has an order in the store; `nil` where rows are not the results
    /// themselves.
    var areOrdered: [Bool]?
    let decode: @Sendable (RowReader) throws -> Row

    /// Returns equal results once.
    ///
    /// ```swift
    /// try User.query.select { $0.city }.distinct().all(in: context)   // SELECT DISTINCT "city" …
    /// try User.query.select { $0.city }.distinct().limit(3).all(in: context)   // … LIMIT 3
    /// ```
    ///
    /// - Throws: when the selection is run, `DataAccessError` with code `invalidRequest` if it, or its
    ///   query, has a limit or an offset already: they would count different results.
    public func distinct() -> Selection {
        var copy = self
        copy.isDistinct = true
        if query.isLimited { copy.query.condition = query.refused(.distinct) }
        return copy
    }

    /// Returns at most this many results, at least 0; `nil` takes an earlier limit back.
    ///
    /// They are the first ones by the sort keys of the query, or else by the IDs of the rows.
    public func limit(_ count: Int?) -> Selection {
        var copy = self
        copy.query = query.limit(count)
        return copy
    }

    /// Skips this many results, at least 0.
    public func offset(_ count: Int) -> Selection {
        var copy = self
        copy.query = query.offset(count)
        return copy
    }

    /// Maps each row by a closure.
    ///
    /// ```swift
    /// struct Card: Sendable { var name: String; var age: Int }
    /// let cards = User.query.select { ($0.firstname, $0.age) }.map { Card(name: $0, age: $1) }
    /// ```
    public func map<Other>(
        _ transform: @escaping @Sendable (Row) throws -> Other
    ) -> Selection<E, Other> {
        let decode = decode
        return Selection<E, Other>(
            query: query, results: results, groups: groups, having: having, isDistinct: isDistinct,
            decode: { try transform(try decode($0)) })
    }

    /// The results, by the sort keys of the query.
    public func all(in context: some QueryContext) throws -> [Row] {
        let request = try request(in: context)
        var rows: [Row] = []
        try context.query { session in
            try session.fetch(request) { cursor in
                while cursor.next() { rows.append(try decode(cursor.row)) }
            }
        }
        return rows
    }

    /// The first result, by the sort keys of the query, or `nil` if there is none.
    public func first(in context: some QueryContext) throws -> Row? {
        var request = try request(in: context)
        guard request.rows.limit != 0 else { return nil }
        request.rows.limit = 1
        var row: Row?
        try context.query { session in
            try session.fetch(request) { cursor in
                if cursor.next() { row = try decode(cursor.row) }
            }
        }
        return row
    }

    func request(in context: some QueryContext) throws -> ProjectionRequest {
        let request = ProjectionRequest(
            try results.get(), of: try query.request(in: context), groupedBy: try groups.get(),
            having: try having?.predicate.get(), isDistinct: isDistinct)
        guard request.groups.isEmpty, request.isAggregated else { return request }
        guard query.rowLimit == nil, query.rowOffset == 0 else {
            throw DataAccessError(
                .invalidRequest,
                "Aggregates of \(E.schema.typeName) are asked for with a limit or an offset, which would be about their one row. Fetch the rows, or restrict them by a condition."
            )
        }
        return request
    }
}

extension Query {
    /// Computes values from each row, of one operand or of several at once.
    ///
    /// ```swift
    /// try User.query.select { $0.age }.all(in: context)                       // [Int]
    /// try User.query.select { ($0.firstname, $0.company.name) }.all(in: context)
    /// // [(String, String?)]
    /// ```
    ///
    /// Aggregates return one row for all rows of the query, which then has no limit or offset.
    ///
    /// - Throws: when it is run, `StoreError` with code `invalidRequest` if aggregates are
    ///   mixed with operands that may differ from row to row: group the rows, or select
    ///   aggregates alone.
    public func select<each Operand: QueryOperand>(
        _ operands: (E.Columns) -> (repeat each Operand)
    ) -> Selection<E, (repeat (each Operand).Value)> {
        let list = RowClosure.run(E.self) {
            OperandList<E, repeat (each Operand).Value>(repeat each operands($0))
        }
        return Selection(
            query: self, results: list.sources, areOrdered: list.areOrdered, decode: list.decode)
    }
}

extension Entity {
    /// Computes values from each row.
    public static func select<each Operand: QueryOperand>(
        _ operands: (Columns) -> (repeat each Operand)
    ) -> Selection<Self, (repeat (each Operand).Value)> {
        query.select(operands)
    }
}
