import SkiathosStore

/// The tables and columns that a file lacks.
///
/// Adding them removes nothing and changes no existing row.
struct SchemaAdditions {
    /// The changes, in order.
    private(set) var changes: [SchemaChange] = []
    /// The tables as they are with the additions.
    private(set) var tables: [TableInfo]
    /// The conditions on existing rows, now or after the steps.
    private(set) var conditions: [SchemaCondition] = []

    private let converts: Set<String>

    init(_ found: [TableInfo], _ expected: [TableLayout], converts: Set<String>) {
        tables = found
        self.converts = converts
        for table in expected {
            if let position = found.firstIndex(where: { $0.name == table.name }) {
                for column in table.columns { add(column, of: table, to: position) }
            } else {
                create(table)
            }
        }
    }

    private mutating func create(_ table: TableLayout) {
        var statements = [table.tableCreation]
        if table.hasRowID {
            let sequence = SQLText.quote(TableLayout.sequence.name)
            let name = StoreValue.quoted(table.name)
            statements.append("INSERT OR IGNORE INTO \(sequence) VALUES (\(name), 0)")
        }
        changes.append(SchemaChange("create table \(SQLText.quote(table.name))", statements))
        var columnsOnly = table
        columnsOnly.uniqueKeys = []
        columnsOnly.indexes = []
        columnsOnly.searchable = []
        tables.append(TableInfo(columnsOnly: columnsOnly, indexes: [], triggers: []))
    }

    private mutating func add(
        _ column: TableLayout.Column, of expected: TableLayout, to position: Int
    ) {
        let present = tables[position].columnsOnly.columns.first { $0.name == column.name }
        guard let present else { return addNew(column, of: expected, to: position) }
        let name = "\(expected.name).\(column.name)"
        guard !present.hasSameForm(as: column), converts.contains(name) else { return }
        // The old values stay beside the new ones until the steps are done.
        var replacement = column
        replacement.name = TableRebuild.prefix + column.name
        replacement.isRequired = false
        let table = SQLText.quote(expected.name)
        let definition = "\(SQLText.quote(replacement.name)) \(column.type)"
        changes.append(
            SchemaChange(
                "make room for the new values of \(table).\(SQLText.quote(column.name))",
                ["ALTER TABLE \(table) ADD COLUMN \(definition)"]))
        tables[position].columnsOnly.columns.append(replacement)
    }

    private mutating func addNew(
        _ column: TableLayout.Column, of expected: TableLayout, to position: Int
    ) {
        var definition = expected.definition(of: column)
        let reference = expected.references.first { $0.column == column.name }
        if column.isRequired {
            if let value = column.defaultValue, value != .null {
                definition += " DEFAULT \(value.sqlLiteral)"
            } else {
                conditions.append(.unfilled(table: expected.name, column: column.name))
            }
            if let reference { conditions.append(.dangling(table: expected.name, reference)) }
        }
        let table = SQLText.quote(expected.name)
        changes.append(
            SchemaChange(
                "add column \(SQLText.quote(column.name)) to \(table)",
                ["ALTER TABLE \(table) ADD COLUMN \(definition)"]))
        tables[position].columnsOnly.columns.append(column)
        if let reference { tables[position].columnsOnly.references.append(reference) }
    }
}
