import GRDBSQLite
import SkiathosStore

/// SQLite's check of a file.
enum FileCheck {
    /// The messages about damage, from the rows of `PRAGMA integrity_check` or `quick_check`.
    static func problems(_ rows: [String]) -> [String] {
        rows == ["ok"] ? [] : rows.map { "The file is damaged: \($0)." }
    }

    /// The result code of a read that has failed, if it is not one about the content of the file.
    static func readError(_ rows: [String]) -> Int32? {
        for row in rows {
            guard let range = row.firstRange(of: "error code=") else { continue }
            let code = Int32(row[range.upperBound...].prefix { $0.isNumber }) ?? SQLITE_CORRUPT
            if code & 0xFF != SQLITE_CORRUPT { return code }
        }
        return nil
    }
}

extension SQLiteSession {
    func integrityProblems() throws -> [String] {
        do {
            return try damage() + undeclaredObjects() + danglingReferences() + searchProblems()
        } catch {
            throw shared.errors.error(error)
        }
    }

    /// Objects that another program has added while the store was open.
    private func undeclaredObjects() throws -> [String] {
        try natively { database in
            let tables = try TableInfo.introspect(database).map(\.name)
            return shared.objects.problems(
                among: try ForeignObject.introspect(database, tables: tables))
        }
    }

    private func damage() throws -> [String] {
        // SQLite's messages name tables, indexes, pages and the numbers of rows.
        let rows = try firstColumn(of: "PRAGMA integrity_check")
        let problems = FileCheck.problems(rows)
        guard !problems.isEmpty else { return [] }
        // A read that has failed is in its messages, too. It says nothing about the file.
        if let code = FileCheck.readError(rows) { throw shared.errors.error(code, "a read failed") }
        guard try firstColumn(of: "PRAGMA integrity_check") == rows else {
            throw StoreError(
                .inputOutput,
                "The file could not be read reliably: two checks of it have found different things. Check the disk, then try again."
            )
        }
        return problems
    }

    private func danglingReferences() throws -> [String] {
        var problems: [String] = []
        for entity in shared.schema.entities.indices {
            for (column, count) in try danglingReferences(of: entity) {
                let schema = shared.schema.entities[entity]
                let target = schema.columns[column].reference.flatMap {
                    shared.schema.target(of: $0)
                }
                let name = target.map { shared.schema.entities[$0].table } ?? "another table"
                problems.append(
                    "\(count) rows of \"\(schema.table)\" refer through \"\(schema.columns[column].name)\" to rows of \"\(name)\" that are not there."
                )
            }
        }
        return problems
    }

    /// How many rows of an entity have dangling references, by the position of the column.
    func danglingReferences(of entity: Int) throws -> [(column: Int, count: Int)] {
        let schema = shared.schema.entities[entity]
        guard !schema.referenceColumns.isEmpty else { return [] }
        let sql = """
            SELECT keys."from", count(*)
            FROM pragma_foreign_key_check(?1) AS broken
            JOIN pragma_foreign_key_list(?1) AS keys ON keys.id = broken.fkid
            GROUP BY keys."from"
            """
        return try statement(sql).use { statement in
            try bind([.text(schema.table)], to: statement, entity: entity)
            var found: [(column: Int, count: Int)] = []
            var code = sqlite3_step(statement.pointer)
            while code == SQLITE_ROW {
                let name = sqlite3_column_text(statement.pointer, 0).map { String(cString: $0) }
                if let column = schema.columns.firstIndex(where: { $0.name == name }) {
                    found.append((column, Int(sqlite3_column_int64(statement.pointer, 1))))
                }
                code = sqlite3_step(statement.pointer)
            }
            try check(code, entity: entity)
            return found
        }
    }

    private func firstColumn(of sql: String) throws -> [String] {
        try statement(sql).use { statement in
            var texts: [String] = []
            var code = sqlite3_step(statement.pointer)
            while code == SQLITE_ROW {
                if let text = sqlite3_column_text(statement.pointer, 0) {
                    texts.append(String(cString: text))
                }
                code = sqlite3_step(statement.pointer)
            }
            try check(code)
            return texts
        }
    }
}
