import SkiathosStore

/// The renamed tables and columns, by the former names that the entities declare.
struct SchemaRenames {
    /// The former names of a table and its columns.
    struct Origin {
        /// The name that the table has in the file.
        var table: String
        /// The names of renamed columns in the file, by the current ones.
        var columns: [String: String] = [:]
    }

    /// The changes, in order.
    private(set) var changes: [SchemaChange] = []
    /// The tables under their current names.
    private(set) var tables: [TableInfo]
    /// The origins of tables, by their current names.
    private(set) var origins: [String: Origin]

    init(_ found: [TableInfo], _ expected: [TableLayout]) {
        tables = found
        origins = Dictionary(uniqueKeysWithValues: found.map { ($0.name, Origin(table: $0.name)) })
        for table in expected { renameTable(to: table) }
        for table in expected {
            for column in table.columns { renameColumn(of: table.name, to: column) }
        }
    }

    private func position(of table: String) -> Int? { tables.firstIndex { $0.name == table } }

    private mutating func renameTable(to expected: TableLayout) {
        guard position(of: expected.name) == nil,
            let former = expected.formerNames.first(where: { position(of: $0) != nil }),
            let position = position(of: former)
        else { return }
        let table = tables[position]
        let own = table.indexes.filter { $0.isOwn(of: former) }
        var statements = table.searchRemovals
        statements += own.map { "DROP INDEX \(SQLText.quote($0.name))" }
        statements += [
            "ALTER TABLE \(SQLText.quote(former)) RENAME TO \(SQLText.quote(expected.name))",
            """
            UPDATE OR REPLACE \(SQLText.quote(TableLayout.sequence.name)) \
            SET "entity" = \(StoreValue.quoted(expected.name)) \
            WHERE "entity" = \(StoreValue.quoted(former))
            """,
        ]
        changes.append(
            SchemaChange(
                "rename table \(SQLText.quote(former)) to \(SQLText.quote(expected.name))",
                statements))
        tables[position].columnsOnly.name = expected.name
        tables[position].columnsOnly.searchable = []
        tables[position].indexes.removeAll { $0.isOwn(of: former) }
        tables[position].markStatementsAsRenamed()
        origins[expected.name] = origins.removeValue(forKey: former)
        forEachReference { reference in
            if reference.target == former { reference.target = expected.name }
        }
    }

    private mutating func renameColumn(of name: String, to expected: TableLayout.Column) {
        guard let position = position(of: name),
            !tables[position].columnNames.contains(expected.name),
            let former = expected.formerNames.first(where: tables[position].columnNames.contains)
        else { return }
        var statements: [String] = []
        if tables[position].columnsOnly.searchable.contains(former) {
            // The FTS5 table knows its columns by their names.
            statements = tables[position].searchRemovals
            tables[position].columnsOnly.searchable = []
        }
        let (table, old) = (SQLText.quote(name), SQLText.quote(former))
        let new = SQLText.quote(expected.name)
        statements.append("ALTER TABLE \(table) RENAME COLUMN \(old) TO \(new)")
        changes.append(SchemaChange("rename column \(old) of \(table) to \(new)", statements))
        tables[position].renameColumn(former, to: expected.name)
        tables[position].markStatementsAsRenamed()
        origins[name]?.columns[expected.name] = former
        forEachReference { reference in
            if reference.target == name, reference.targetColumn == former {
                reference.targetColumn = expected.name
            }
        }
    }

    private mutating func forEachReference(_ body: (inout TableLayout.Reference) -> Void) {
        for table in tables.indices {
            for reference in tables[table].columnsOnly.references.indices {
                body(&tables[table].columnsOnly.references[reference])
            }
        }
    }
}

extension TableInfo {
    /// The statements that remove what the table is searched with, if it is.
    var searchRemovals: [String] {
        columnsOnly.searchable.isEmpty ? [] : SearchIndex.removals(of: name)
    }

    /// SQLite rewrites the statements of the user's own indexes and triggers; the result is
    /// only known afterwards.
    fileprivate mutating func markStatementsAsRenamed() {
        let mark = "  -- under the present names"
        for index in indexes.indices {
            indexes[index].sql = indexes[index].sql.map { $0.hasSuffix(mark) ? $0 : $0 + mark }
        }
        for trigger in triggers.indices where !triggers[trigger].sql.hasSuffix(mark) {
            triggers[trigger].sql += mark
        }
    }

    fileprivate mutating func renameColumn(_ former: String, to name: String) {
        for column in columnsOnly.columns.indices where columnsOnly.columns[column].name == former {
            columnsOnly.columns[column].name = name
        }
        for reference in columnsOnly.references.indices
        where columnsOnly.references[reference].column == former {
            columnsOnly.references[reference].column = name
        }
        for index in indexes.indices {
            for column in indexes[index].columns.indices
            where indexes[index].columns[column].name == former {
                indexes[index].columns[column].name = name
            }
        }
    }
}
