import SkiathosStore

/// The results of several selections together, of one entity or of many: a value like a query.
///
/// ```swift
/// let names = Customer.select { ($0.name, $0.city) }.union(Supplier.select { ($0.name, $0.city) })
/// try names.order { name, _ in name.ascending }.limit(20).all(in: context)
/// // SELECT "name", "city" FROM "customer" UNION SELECT "name", "city" FROM "supplier" ORDER BY 1 …
/// ```
public struct SelectionUnion<Row>: Sendable {
    /// One of the selections.
    struct Part: Sendable {
        let request: @Sendable (any QueryContext) throws -> ProjectionRequest
        let decode: @Sendable (RowReader) throws -> Row
        /// Whether each result has an order in the store; `nil` where rows are not the results
        /// themselves.
        let areOrdered: [Bool]?
    }

    private var parts: [Part]
    private var distinctParts: Int
    private var keys: Result<[UnionRequest.Order], any Error> = .success([])
    private var rowLimit: Int?
    private var rowOffset = 0

    init(_ parts: [Part], distinct: Int) {
        self.parts = parts
        distinctParts = distinct
    }

    /// The results together with those of another selection; equal results come once.
    public func union<E: Entity>(_ other: Selection<E, Row>) -> SelectionUnion {
        adding(other) { $0.distinctParts = $0.parts.count }
    }

    /// The results together with those of another selection, each as often as it comes.
    public func unionAll<E: Entity>(_ other: Selection<E, Row>) -> SelectionUnion {
        adding(other) { _ in }
    }

    /// Sorts by one of the results, after the existing keys.
    ///
    /// ```swift
    /// names.order { name, city in city.descending }
    /// ```
    ///
    /// - Throws: when it is run, `DataAccessError` with code `invalidRequest` if a selection
    ///   was mapped before, or the result is stored as JSON, which has no order.
    public func order<each V: Sendable>(
        _ key: (repeat ResultColumn<each V>) -> ResultOrdering
    ) -> SelectionUnion where Row == (repeat each V) {
        ordered { [key(repeat $0.next((each V).self))] }
    }

    /// Sorts by several of the results, the most important first.
    public func order<each V: Sendable>(
        _ keys: (repeat ResultColumn<each V>) -> [ResultOrdering]
    ) -> SelectionUnion where Row == (repeat each V) {
        ordered { keys(repeat $0.next((each V).self)) }
    }

    /// Returns at most this many rows of all together, at least 0.
    public func limit(_ count: Int?) -> SelectionUnion { with { $0.rowLimit = count } }

    /// Skips this many rows of all together, at least 0.
    public func offset(_ count: Int) -> SelectionUnion { with { $0.rowOffset = count } }

    /// Maps each row by a closure.
    public func map<Other>(
        _ transform: @escaping @Sendable (Row) throws -> Other
    ) -> SelectionUnion<Other> {
        var mapped = SelectionUnion<Other>(
            parts.map { part in
                .init(
                    request: part.request, decode: { try transform(try part.decode($0)) },
                    areOrdered: nil)
            }, distinct: distinctParts)
        mapped.keys = keys
        mapped.rowLimit = rowLimit
        mapped.rowOffset = rowOffset
        return mapped
    }

    /// The rows, by the sort keys; without any, in no particular order.
    public func all(in context: some QueryContext) throws -> [Row] {
        let request = try request(in: context)
        let origin = Int(request.parts[0].results.count)
        var rows: [Row] = []
        try context.query { session in
            try session.fetch(request) { cursor in
                while cursor.next() {
                    let part = parts[Int(cursor.row.integer(at: origin))]
                    rows.append(try part.decode(cursor.row))
                }
            }
        }
        return rows
    }

    /// The first row, by the sort keys, or `nil` if there is none.
    public func first(in context: some QueryContext) throws -> Row? {
        guard rowLimit != 0 else { return nil }
        return try limit(1).all(in: context).first
    }

    private func request(in context: some QueryContext) throws -> UnionRequest {
        for (name, value) in [("limit", rowLimit ?? 0), ("offset", rowOffset)] where value < 0 {
            throw DataAccessError(
                .invalidRequest, "The \(name) is \(value); it cannot be negative.")
        }
        return UnionRequest(
            try parts.map { try $0.request(context) }, distinct: distinctParts,
            order: try keys.get(), limit: rowLimit, offset: rowOffset)
    }

    private func adding<E: Entity>(
        _ other: Selection<E, Row>, _ change: (inout SelectionUnion) -> Void
    ) -> SelectionUnion {
        with {
            guard $0.parts.count < Extent.longestList else {
                $0.keys = .failure(Extent.tooLong("selections in a union"))
                return
            }
            $0.parts.append(other.part)
            change(&$0)
            guard $0.rowLimit != nil || $0.rowOffset != 0 || (try? $0.keys.get().isEmpty) != true
            else { return }
            $0.keys = .failure(
                DataAccessError(
                    .invalidRequest,
                    "A union is joined with more results after it was sorted or limited, which cannot be kept. Sort and limit the whole union last."
                ))
        }
    }

    private func ordered(_ keys: (inout ResultColumns) -> [ResultOrdering]) -> SelectionUnion {
        with { union in
            var columns = ResultColumns()
            let new = keys(&columns)
            guard union.rowLimit == nil, union.rowOffset == 0 else {
                union.keys = .failure(
                    DataAccessError(
                        .invalidRequest,
                        "A union is sorted behind a limit or an offset, but it would be sorted before them. Write order before the limit."
                    ))
                return
            }
            union.keys = union.keys.flatMap { old in
                Result { old + (try new.map { try union.checked($0) }) }
            }
        }
    }

    private func checked(_ key: ResultOrdering) throws -> UnionRequest.Order {
        for part in parts {
            guard let areOrdered = part.areOrdered else {
                throw DataAccessError(
                    .invalidRequest,
                    "A union of mapped selections or of groups is sorted, whose rows are not the results that the store sorts by. Select columns alone, and map the union."
                )
            }
            guard areOrdered.indices.contains(key.result), areOrdered[key.result] else {
                throw DataAccessError(
                    .invalidRequest,
                    "A union goes by the order of values that are kept as JSON and have none in the store. Select what they are ordered by, or sort the fetched values."
                )
            }
        }
        return UnionRequest.Order(key.result, descending: key.descending)
    }

    private func with(_ change: (inout SelectionUnion) -> Void) -> SelectionUnion {
        var copy = self
        change(&copy)
        return copy
    }
}

extension Selection {
    /// The results together with those of another selection, of this entity or another one;
    /// equal results come once.
    ///
    /// ```swift
    /// let cities = Customer.select { $0.city }.union(Supplier.select { $0.city })
    /// ```
    ///
    /// Rows are equal if their results are, before `map`; they are then mapped as those of the
    /// first selection.
    ///
    /// - Throws: when it is run, `StoreError` with code `invalidRequest` if the selections,
    ///   before `map`, differ in the number or kinds of their results.
    public func union<Other: Entity>(_ other: Selection<Other, Row>) -> SelectionUnion<Row> {
        SelectionUnion([part, other.part], distinct: 2)
    }

    /// The results together with those of another selection, each as often as it comes.
    public func unionAll<Other: Entity>(_ other: Selection<Other, Row>) -> SelectionUnion<Row> {
        SelectionUnion([part, other.part], distinct: 0)
    }

    fileprivate var part: SelectionUnion<Row>.Part {
        .init(
            request: { try self.request(in: $0) }, decode: decode, areOrdered: areOrdered)
    }
}
