import GRDBSQLite
import SkiathosStore

/// A column whose values are stored as before, and read as values of another kind.
///
/// Its rows are read before a program may use them: no default takes the place of a value that the
/// program cannot read.
struct KindChange: Sendable {
    /// A column as the file names it.
    struct Place: Sendable {
        var table: String
        var id: String
        var column: String
    }

    /// The column as the program names it.
    var entity: EntitySchema
    var column: ColumnSchema
    /// The column as the file names it before the renames.
    var source: Place
    /// The kind of values that the file holds.
    var formerKind: ValueKind

    /// The column as the file names it after the renames.
    var target: Place {
        Place(table: entity.table, id: entity.columns[0].name, column: column.name)
    }

    /// The changes from the layout of a file.
    ///
    /// - Parameter isStoredAlike: Whether a column of the file is stored as the program asks for.
    static func all(
        from present: StoreLayout, to schema: StoreSchema,
        _ origins: [String: SchemaRenames.Origin],
        isStoredAlike: (_ table: String, _ column: String) -> Bool
    ) -> [KindChange] {
        schema.entities.flatMap { entity -> [KindChange] in
            guard let origin = origins[entity.table], let former = present.entity(origin.table)
            else { return [] }
            func source(_ column: String) -> String { origin.columns[column] ?? column }
            return entity.columns.compactMap { column in
                guard let property = former.property(source(column.name)),
                    !column.kind.accepts(property.type), isStoredAlike(entity.table, column.name)
                else { return nil }
                let place = Place(
                    table: origin.table, id: source(entity.columns[0].name),
                    column: source(column.name))
                return KindChange(
                    entity: entity, column: column, source: place, formerKind: property.type)
            }
        }
    }

    /// Reads all values, and describes those that the program cannot read; `nil` if there are none.
    ///
    /// - Parameters:
    ///   - place: The column as the file names it now.
    ///   - progress: Is told how many rows were read.
    func problem(
        at place: Place, on connection: MigrationConnection,
        _ progress: (@Sendable (MigrationProgress) -> Void)?
    ) throws -> String? {
        let table = SQLText.quote(place.table)
        var report = MigrationProgress(
            step: "reading \(SQLText.quote(column.name))", table: place.table, rowsDone: 0,
            rowCount: try connection.integer("SELECT count(*) FROM \(table)"))
        var unreadable = UnreadableValues(
            entity.table, column.name,
            "as \(column.kind), and was written as \(formerKind)")
        try connection.run(
            "SELECT \(SchemaChange.list([place.id, place.column])) FROM \(table)"
        ) { row in
            report.rowsDone += 1
            if report.rowsDone.isMultiple(of: EntityRows.pageSize) { progress?(report) }
            guard sqlite3_column_type(row, 1) != SQLITE_NULL else { return }
            let reader = RowReader(statement: row, functions: SQLiteFunctions.table.pointer)
            guard (try? column.rebound(reader, at: 1)) == nil else { return }
            unreadable.add(StoreValue(row, column: 0))
        }
        progress?(report)
        return unreadable.description
    }
}

/// Values of a column that its type cannot read.
struct UnreadableValues {
    private let table: String
    private let column: String
    private let kinds: String
    private var count = 0
    private var firstIDs: [StoreValue] = []

    /// - Parameter kinds: As in "as integer, and was written as text".
    init(_ table: String, _ column: String, _ kinds: String = "") {
        self.table = table
        self.column = column
        self.kinds = kinds
    }

    /// Counts the value of a row.
    mutating func add(_ id: StoreValue) {
        count += 1
        if firstIDs.count < 3 { firstIDs.append(id) }
    }

    /// The rows, with the first IDs if they were generated, and how to change them; `nil` if there
    /// are none.
    var description: String? {
        guard count > 0 else { return nil }
        let ids = firstIDs.compactMap(\.generatedIDText).joined(separator: ", ")
        let first =
            ids.isEmpty ? "" : " (\(count > firstIDs.count ? "the first IDs" : "IDs"): \(ids))"
        return
            "\(count) rows of \(SQLText.quote(table))\(first) hold a value of \(SQLText.quote(column)) that cannot be read\(kinds.isEmpty ? "" : " " + kinds). Let a step that has \(StoreValue.quoted("\(table).\(column)")) among its converts give every row its new value."
    }
}
