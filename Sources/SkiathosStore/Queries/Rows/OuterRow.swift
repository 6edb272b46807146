/// A row of a query that stands around another one, as the inner one refers to it.
///
/// ```swift
/// StorePredicate.through(2, .comparison(.column(3), .less, .outer(.distance(1), .column(3))))
/// // "manager" leads to a row whose column 3 is less than that of the row that "manager" belongs to
/// ```
///
/// Rows are counted from the innermost one outwards: each `through`, `related`, `subquery`, `among` and
/// `outer` puts one more row inside of those that are there already.
public enum OuterRow: Sendable, Hashable {
    /// The row that stands a number of rows further out, at least 1.
    case distance(Int)
    /// The row of a closure that is still running, while the query is being made.
    ///
    /// A request that a backend gets has it only by mistake: a column was used where its row is not.
    /// The backend refuses the request by ``distance(of:in:)``.
    case named(RowName)

    /// The distance of the row, for a backend.
    ///
    /// - Parameters:
    ///   - expression: The expression about the row, for the error.
    ///   - schema: The entities of the store.
    /// - Throws: ``StoreError`` with code `invalidRequest` for a row that is not there.
    public func distance(of expression: StoreExpression, in schema: StoreSchema) throws -> Int {
        try distance(of: .expression(expression), in: schema)
    }

    /// The distance of the row, for a backend.
    ///
    /// - Parameters:
    ///   - condition: The condition on the row, for the error.
    ///   - schema: The entities of the store.
    /// - Throws: ``StoreError`` with code `invalidRequest` for a row that is not there.
    public func distance(of condition: StorePredicate, in schema: StoreSchema) throws -> Int {
        try distance(of: .predicate(condition), in: schema)
    }

    /// The distance of the row.
    package func distance(of part: StorePart, in schema: StoreSchema) throws -> Int {
        switch self {
        case .distance(let distance): distance
        case .named(let row): throw row.missing(part, in: schema)
        }
    }
}

/// The name of the rows of a closure: the closure, and the entity of its rows.
public struct RowName: Sendable, Hashable {
    /// The number of the closure; 0 for the outermost one, whose columns carry no name.
    package let closure: Int
    /// The Swift type of the entity.
    package let entity: ObjectIdentifier
    /// The name of that type, for messages.
    package let entityName: String

    /// Names the rows of a closure about an entity.
    package init(_ closure: Int, _ entity: Any.Type) {
        self.closure = closure
        self.entity = ObjectIdentifier(entity)
        self.entityName = String(describing: entity)
    }

    /// The error for a row that is not around.
    fileprivate func missing(_ part: StorePart, in schema: StoreSchema) -> StoreError {
        let entity = schema.entities.first { $0.type == self.entity }
        let column = part.firstColumn.flatMap { position in
            entity.flatMap { $0.columns.indices.contains(position) ? $0.columns[position] : nil }
        }
        let subject =
            column.map { "the column \(entityName).\($0.name)" } ?? "a row of \(entityName)"
        let finding =
            closure == 0
            ? "but no outermost row of \(entityName) stands around"
            : "but the closure that \(column == nil ? "the row" : "the column") belongs to has ended"
        return StoreError(
            .invalidRequest,
            "A query uses \(subject), \(finding). Use the columns that the closures around get, mark those of another entity with .outer, and make the conditions of a closure inside of it.",
            entity: entity?.table, columns: column.map { [$0.name] } ?? [])
    }
}

extension StorePart {
    /// The position of the first column of its own row, for messages.
    fileprivate var firstColumn: Int? {
        switch self {
        case .expression(.column(let position)), .expression(.through(let position, _)),
            .predicate(.through(let position, _)), .predicate(.descent(let position, _, _)):
            return position
        default:
            var found: Int?
            forEachPart { part, rows in if found == nil, rows == 0 { found = part.firstColumn } }
            return found
        }
    }
}
