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
        let declared = expected.map { NameMoves.Declared($0.name, former: $0.formerNames) }
        freeNames(of: expected)
        for move in NameMoves(from: found.map(\.name), to: declared).moves { renameTable(move) }
        for table in expected { renameColumns(of: table) }
    }

    private func position(of table: String) -> Int? { tables.firstIndex { $0.name == table } }

    /// Drops the indexes of the package's own that are called like a table of the entities; they are
    /// made again under other names.
    private mutating func freeNames(of expected: [TableLayout]) {
        let wanted = Set(expected.map { $0.name.lowercased() })
        for position in tables.indices {
            let name = tables[position].name
            for index in tables[position].indexes
            where index.isOwn(of: name) && wanted.contains(index.name.lowercased()) {
                let list = SchemaChange.list(index.columns.map(\.name))
                changes.append(
                    SchemaChange(
                        "drop the index on \(list) of \(SQLText.quote(name)), which has the name of a table",
                        ["DROP INDEX \(SQLText.quote(index.name))"]))
                tables[position].indexes.removeAll { $0.name == index.name }
            }
        }
    }

    private mutating func renameTable(_ move: NameMoves.Move) {
        guard let position = position(of: move.source) else { return }
        let (former, name) = (move.source, move.target)
        let table = tables[position]
        let own = table.indexes.filter { $0.isOwn(of: former) }
        var statements = table.searchRemovals
        statements += own.map { "DROP INDEX \(SQLText.quote($0.name))" }
        statements += move.steps.map { source, target in
            "ALTER TABLE \(SQLText.quote(source)) RENAME TO \(SQLText.quote(target))"
        }
        statements.append(
            """
            UPDATE OR REPLACE \(SQLText.quote(TableLayout.sequence.name)) \
            SET "entity" = \(StoreValue.quoted(name)) \
            WHERE "entity" = \(StoreValue.quoted(former))
            """)
        changes.append(
            SchemaChange(
                "rename table \(SQLText.quote(former)) to \(SQLText.quote(name))", statements))
        tables[position].columnsOnly.name = name
        tables[position].columnsOnly.searchable = []
        tables[position].indexes.removeAll { $0.isOwn(of: former) }
        tables[position].markStatementsAsRenamed()
        origins[name] = origins.removeValue(forKey: former)
        forEachReference { reference in
            if reference.target == former { reference.target = name }
        }
    }

    private mutating func renameColumns(of expected: TableLayout) {
        guard let position = position(of: expected.name) else { return }
        let declared = expected.columns.map { NameMoves.Declared($0.name, former: $0.formerNames) }
        let present = tables[position].columnsOnly.columns.map(\.name)
        for move in NameMoves(from: present, to: declared).moves {
            renameColumn(move, at: position)
        }
    }

    private mutating func renameColumn(_ move: NameMoves.Move, at position: Int) {
        let name = tables[position].name
        var statements: [String] = []
        if tables[position].columnsOnly.searchable.contains(move.source) {
            // The FTS5 table knows its columns by their names.
            statements = tables[position].searchRemovals
            tables[position].columnsOnly.searchable = []
        }
        let table = SQLText.quote(name)
        statements += move.steps.map { source, target in
            "ALTER TABLE \(table) RENAME COLUMN \(SQLText.quote(source)) TO \(SQLText.quote(target))"
        }
        changes.append(
            SchemaChange(
                "rename column \(SQLText.quote(move.source)) of \(table) to \(SQLText.quote(move.target))",
                statements))
        tables[position].renameColumn(move.source, to: move.target)
        tables[position].markStatementsAsRenamed()
        origins[name]?.columns[move.target] = move.source
        forEachReference { reference in
            if reference.target == name, reference.targetColumn == move.source {
                reference.targetColumn = move.target
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

extension NameMoves.Move {
    /// The renames that SQLite makes, which does not rename where only the case of letters differs.
    fileprivate var steps: [(source: String, target: String)] {
        guard changesCaseOnly else { return [(source, target)] }
        let between = TableRebuild.prefix + target
        return [(source, between), (between, target)]
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
