import SkiathosStore

/// Why a table has to be rebuilt, and whether it can be.
struct TableComparison {
    /// Descriptions of the changes that need a rebuild.
    private(set) var reasons: [String] = []
    /// The conditions on the rows.
    private(set) var conditions: [SchemaCondition] = []
    /// Messages about what prevents the rebuild.
    private(set) var blockers: [String] = []
    /// Whether data is lost.
    private(set) var losesData = false

    private let found: TableInfo
    private let expected: TableLayout
    private let drops: Set<String>

    init(_ found: TableInfo, _ expected: TableLayout, drops: Set<String>) {
        self.found = found
        self.expected = expected
        self.drops = drops
        if found.columnsOnly.isStrict != expected.isStrict {
            reasons.append("make it a strict table")
        }
        if found.columnsOnly.hasRowID != expected.hasRowID {
            reasons.append("make it a table \(expected.hasRowID ? "with" : "without") row IDs")
        }
        if !found.extras.isEmpty {
            reasons.append(
                "leave out \(found.extras.joined(separator: ", ")), which no entity asks for")
        }
        for column in expected.columns { compare(column) }
        compareRest()
        compareReferences()
    }

    private var table: String { SQLText.quote(expected.name) }

    private mutating func compare(_ column: TableLayout.Column) {
        let name = SQLText.quote(column.name)
        guard let present = found.columnsOnly.columns.first(where: { $0.name == column.name })
        else {
            blockers.append("The column \(table).\(name) is missing. Let no step drop it.")
            return
        }
        guard !present.hasSameForm(as: column) else { return }
        let converted = TableRebuild.prefix + column.name
        if column.isKey || present.isKey {
            blockers.append(
                "The ID of \(table) changes from \(describe(present)) to \(describe(column)), which cannot be done in place. Give the entity another table, and let a step transform the rows of \(table) into it and drop \(table)."
            )
        } else if found.columnNames.contains(converted) {
            reasons.append("change \(name) from \(describe(present)) to \(describe(column))")
            requireValues(of: column, from: converted)
        } else if present.type != column.type {
            blockers.append(
                "The column \(table).\(name) changes from \(describe(present)) to \(describe(column)). Let a step that has \(StoreValue.quoted("\(expected.name).\(column.name)")) among its converts give every row its new value."
            )
        } else {
            reasons.append("make \(name) \(column.isRequired ? "required" : "optional")")
            requireValues(of: column, from: column.name)
        }
    }

    private mutating func requireValues(of column: TableLayout.Column, from source: String) {
        guard column.isRequired else { return }
        conditions.append(.filled(table: expected.name, column: column.name, source: source))
    }

    /// Columns that the entity lacks.
    private mutating func compareRest() {
        let wanted = Set(expected.columns.map(\.name))
        for column in found.columnsOnly.columns where !wanted.contains(column.name) {
            let name = SQLText.quote(column.name)
            if wanted.contains(where: { TableRebuild.prefix + $0 == column.name }) { continue }
            guard drops.contains("\(expected.name).\(column.name)"), !column.isKey else {
                let heir = expected.columns.first { $0.formerNames.names(column.name) }
                if let heir {
                    blockers.append(advice(on: column, takenBy: heir))
                    continue
                }
                blockers.append(
                    "The file has a column \(table).\(name) that the entity lacks. Say which property it has become with @Renamed, or let a step drop \(StoreValue.quoted("\(expected.name).\(column.name)"))."
                )
                continue
            }
            reasons.append("drop column \(name)")
            losesData = true
        }
    }

    /// The advice about a column that was not renamed, since the file has its new name already.
    private func advice(
        on column: TableLayout.Column, takenBy heir: TableLayout.Column
    ) -> String {
        let present = found.columnsOnly.columns.first { $0.name == heir.name }
        let isConversion = present?.type != heir.type
        let target = SQLText.quote((isConversion ? TableRebuild.prefix : "") + heir.name)
        let source = SQLText.quote(column.name)
        let value = column.type == heir.type ? source : "CAST(\(source) AS \(heir.type))"
        let converts = isConversion ? ", converts: [\"\(expected.name).\(heir.name)\"]" : ""
        return """
            The file has the column \(table).\(SQLText.quote(heir.name)) and its former name \(source) \
            beside it, so \(source) is not renamed. Let a step keep the values that are to stay: \
            Migration("\(column.name) becomes \(heir.name)", drops: \
            ["\(expected.name).\(column.name)"]\(converts)) { try $0.execute(#"UPDATE \(table) SET \
            \(target) = \(value)"#) }
            """
    }

    private mutating func compareReferences() {
        let (present, wanted) = (Set(found.columnsOnly.references), Set(expected.references))
        for reference in expected.references where !present.contains(reference) {
            let column = SQLText.quote(reference.column)
            let same = present.contains {
                $0.column == reference.column && $0.target == reference.target
                    && $0.targetColumn == reference.targetColumn
            }
            reasons.append(
                same
                    ? "change the delete rule of \(column) to \(reference.onDelete)"
                    : "let \(column) refer to \(SQLText.quote(reference.target))")
            if !same { conditions.append(.dangling(table: expected.name, reference)) }
        }
        let columns = Set(expected.columns.map(\.name))
        let referring = Set(expected.references.map(\.column))
        for reference in found.columnsOnly.references
        where !wanted.contains(reference) && columns.contains(reference.column)
            && !referring.contains(reference.column)
        {
            reasons.append(
                "let \(SQLText.quote(reference.column)) no longer refer to \(SQLText.quote(reference.target))"
            )
        }
    }

    private func describe(_ column: TableLayout.Column) -> String {
        column.type + (column.isRequired ? " NOT NULL" : "")
    }
}

extension [String] {
    /// Whether one of these names is a name, which SQLite compares without regard to case.
    func names(_ name: String) -> Bool { contains { $0.lowercased() == name.lowercased() } }
}
