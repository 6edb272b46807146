import SkiathosStore

/// The parts of statements that are the same for every request of one entity, made once.
struct EntitySQL: Sendable {
    /// The entity.
    let entity: EntitySchema
    /// The quoted table.
    let table: String
    /// The quoted columns, by position.
    let columns: [String]
    /// The quoted columns in one text.
    let columnList: String
    /// The columns that are part of a unique key beside the ID.
    let uniqueColumns: ColumnSet

    /// Selects the row with an ID, all columns.
    let selectByID: String
    /// Selects the rows with the IDs of a ``RowLookup``, all columns.
    let lookUp: String
    /// Selects the rows whose integer IDs are passed as bulk rows, all columns.
    let selectInBulk: String
    /// Selects the rows whose integer IDs lie between the two of a bulk row, all columns.
    let selectRuns: String
    /// Inserts a row, all columns.
    let insert: String
    /// Deletes the row with an ID.
    let deleteByID: String
    /// Deletes all rows whose IDs are passed as bulk rows.
    let deleteInBulk: String

    /// Prepares the SQL of an entity.
    init(_ entity: EntitySchema) {
        self.entity = entity
        table = SQLText.quote(entity.table)
        columns = entity.columns.map { SQLText.quote($0.name) }
        columnList = columns.joined(separator: ", ")
        uniqueColumns = ColumnSet(entity.uniqueKeys.joined())
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        selectByID = "SELECT \(columnList) FROM \(table) WHERE \(columns[0]) = ?"
        let (table, names) = (table, columns)
        // The passed IDs come first, so that the table is never scanned.
        func select(_ source: String) -> String {
            """
            SELECT \(names.map { "\(table).\($0)" }.joined(separator: ", ")) \
            FROM \(source)(?) CROSS JOIN \(table) ON \(table).\(names[0])
            """
        }
        // The sign takes the column's affinity away, so that the ID is compared as a parameter is.
        lookUp = "\(select("skiathos_key")) = +skiathos_key.id"
        let selectBulk = select(BulkTable.name)
        let ids = (0...1).map { "\(BulkTable.name).\(BulkTable.column($0))" }
        selectInBulk = "\(selectBulk) = \(ids[0])"
        selectRuns = "\(selectBulk) BETWEEN \(ids[0]) AND \(ids[1])"
        insert = "INSERT INTO \(table) (\(columnList)) VALUES (\(marks))"
        deleteByID = "DELETE FROM \(table) WHERE \(columns[0]) = ?"
        deleteInBulk = """
            DELETE FROM \(table) WHERE \(columns[0]) IN \
            (SELECT \(BulkTable.column(0)) FROM \(BulkTable.name)(?))
            """
    }

    /// Sets some columns, in ascending order, of the row with an ID.
    func update(_ set: ColumnSet) -> String {
        let assignments = set.map { "\(columns[$0]) = ?" }.joined(separator: ", ")
        return "UPDATE \(table) SET \(assignments) WHERE \(columns[0]) = ?"
    }

    /// Inserts all bulk rows.
    ///
    /// - Parameter orFail: Whether the rows before one that fails may stay. Otherwise SQLite
    ///   keeps a copy of every changed page, to be able to roll the statement back. Not for a
    ///   table with triggers, whose statements would apply it too.
    func insertInBulk(orFail: Bool) -> String {
        let values = columns.indices.map(BulkTable.column).joined(separator: ", ")
        return """
            INSERT\(orFail ? " OR FAIL" : "") INTO \(table) (\(columnList)) \
            SELECT \(values) FROM \(BulkTable.name)(?)
            """
    }

    /// Sets some columns, in ascending order, of all bulk rows, whose last column is the ID.
    ///
    /// - Parameter orFail: As in ``insertInBulk(orFail:)``.
    func updateInBulk(_ set: ColumnSet, orFail: Bool = false) -> String {
        let assignments = set.enumerated().map { position, column in
            "\(columns[column]) = \(BulkTable.name).\(BulkTable.column(position))"
        }
        let id = "\(BulkTable.name).\(BulkTable.column(set.count))"
        return """
            UPDATE\(orFail ? " OR FAIL" : "") \(table) SET \(assignments.joined(separator: ", ")) FROM \(BulkTable.name)(?) \
            WHERE \(table).\(columns[0]) = \(id)
            """
    }

    /// Sets the unique columns among these, in the row with an ID, to values that no other row
    /// has.
    ///
    /// Foreign keys are checked when the transaction ends, so a reference may dangle until
    /// then.
    func park(_ set: ColumnSet) -> String {
        let assignments = set.intersection(uniqueColumns).map { position in
            "\(columns[position]) = \(Self.placeholder(entity.columns[position]))"
        }
        return "UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE \(columns[0]) = ?"
    }

    /// Sets a reference of the row with an ID to no value, or to one that no row has.
    func unlink(_ column: Int) -> String {
        "UPDATE \(table) SET \(columns[column]) = \(Self.placeholder(entity.columns[column])) WHERE \(columns[0]) = ?"
    }

    private static func placeholder(_ column: ColumnSchema) -> String {
        if column.isOptional { return "NULL" }
        return switch column.storage {
        case .integer, .real: "random()"
        case .text, .decimal: "lower(hex(randomblob(16)))"
        case .blob: "randomblob(16)"
        }
    }
}
