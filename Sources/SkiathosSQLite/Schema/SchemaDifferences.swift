import SkiathosStore

/// What would have to change in a file so that it fits the entities, in words.
struct SchemaDifferences {
    /// One line for each difference.
    private(set) var lines: [String] = []

    /// Compares what a file holds with what the entities ask for.
    init(found: [TableLayout], expected: [TableLayout]) {
        let foundByName = Dictionary(found.map { ($0.name, $0) }) { first, _ in first }
        let expectedNames = Set(expected.map(\.name))
        for table in expected {
            if let present = foundByName[table.name] {
                compare(present, table)
            } else {
                lines.append("create table \(quote(table.name)), which the file lacks")
            }
        }
        for table in found where !expectedNames.contains(table.name) {
            lines.append("the file has a table \(quote(table.name)) that no entity has")
        }
    }

    /// The error that holds the plan, or `nil` if there is no difference.
    func error(file: String) -> StoreError? {
        guard !lines.isEmpty else { return nil }
        let plan = lines.map { "- \($0)" }.joined(separator: "\n")
        return StoreError(
            .schemaMismatch,
            """
            The tables in "\(file)" are not those that the entities ask for. The file was left as \
            it was. To fit, it would need these changes:
            \(plan)
            """)
    }

    private mutating func compare(_ found: TableLayout, _ expected: TableLayout) {
        let table = quote(expected.name)
        if found.isStrict != expected.isStrict {
            lines.append("make \(table) a strict table")
        }
        if found.hasRowID != expected.hasRowID {
            lines.append("rebuild \(table) \(expected.hasRowID ? "with" : "without") row IDs")
        }
        compareColumns(found, expected)
        compareReferences(found, expected)
        compareIndexes(found.uniqueKeys, expected.uniqueKeys, "a unique key", table)
        compareIndexes(found.indexes, expected.indexes, "an index", table)
        if found.searchable != expected.searchable {
            lines.append(
                "search \(expected.searchable.isEmpty ? "no columns" : list(expected.searchable)) of \(table), and not \(found.searchable.isEmpty ? "none" : list(found.searchable))"
            )
        }
    }

    private mutating func compareColumns(_ found: TableLayout, _ expected: TableLayout) {
        let table = quote(expected.name)
        for column in expected.columns {
            guard let present = found.columns.first(where: { $0.name == column.name }) else {
                lines.append("add column \(expected.definition(of: column)) to \(table)")
                continue
            }
            guard present != column else { continue }
            lines.append(
                "change column \(table).\(quote(column.name)) from \(words(present)) to \(words(column))"
            )
        }
        let names = Set(expected.columns.map(\.name))
        for column in found.columns where !names.contains(column.name) {
            lines.append(
                "the file has a column \(table).\(quote(column.name)) that the entity lacks")
        }
    }

    private mutating func compareReferences(_ found: TableLayout, _ expected: TableLayout) {
        let table = quote(expected.name)
        let columns = Set(found.columns.map(\.name))
        let foundReferences = Set(found.references)
        let expectedReferences = Set(expected.references)
        for reference in expected.references where !foundReferences.contains(reference) {
            // A missing column has its reference in its own line.
            guard columns.contains(reference.column) else { continue }
            lines.append(
                "add to column \(table).\(quote(reference.column)): \(TableLayout.definition(of: reference))"
            )
        }
        for reference in found.references where !expectedReferences.contains(reference) {
            lines.append(
                "the file has a reference of \(table).\(quote(reference.column)) to \(quote(reference.target)) (on delete \(reference.onDelete)) that the entity lacks"
            )
        }
    }

    private mutating func compareIndexes(
        _ found: [[String]], _ expected: [[String]], _ kind: String, _ table: String
    ) {
        for columns in expected where !found.contains(columns) {
            lines.append("add \(kind) on \(list(columns)) to \(table)")
        }
        for columns in found where !expected.contains(columns) {
            lines.append(
                "the file has \(kind) on \(list(columns)) of \(table) that the entity lacks")
        }
    }

    private func list(_ columns: [String]) -> String {
        columns.map(quote).joined(separator: ", ")
    }

    private func words(_ column: TableLayout.Column) -> String {
        column.type + (column.isKey ? " PRIMARY KEY" : "") + (column.isRequired ? " NOT NULL" : "")
    }

    private func quote(_ name: String) -> String { SQLText.quote(name) }
}
