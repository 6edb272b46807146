import SkiathosStore

/// Numbers for rows whose IDs are not integers.
extension SearchIndex {
    /// The statements that create the table of the numbers, and the view of the rows by their numbers.
    var numbering: [String] {
        guard let keyType else { return [] }
        let (numbers, rows) = (SQLText.quote(Self.numbers(of: table)), Self.rows(of: table))
        let columnList = columns.map { "\(row).\(SQLText.quote($0))" }.joined(separator: ", ")
        return [
            """
            CREATE TABLE \(numbers) ("number" INTEGER PRIMARY KEY NOT NULL, \
            "id" \(keyType) NOT NULL UNIQUE) STRICT
            """,
            """
            CREATE VIEW \(SQLText.quote(rows)) AS SELECT \(numbers)."number" AS "skiathos_number", \(columnList) \
            FROM \(numbers) JOIN \(row) ON \(row)."id" = \(numbers)."id"
            """,
        ]
    }

    /// The statements of triggers for the number of a row that is inserted, changed and deleted.
    var numberChanges: (inserted: [String], updated: [String], deleted: [String]) {
        guard keyType != nil else { return ([], [], []) }
        let numbers = SQLText.quote(Self.numbers(of: table))
        return (
            ["INSERT INTO \(numbers)(\"id\") VALUES (new.\"id\")"],
            [
                """
                UPDATE \(numbers) SET "id" = new."id" \
                WHERE "id" = old."id" AND old."id" <> new."id"
                """
            ],
            ["DELETE FROM \(numbers) WHERE \"id\" = old.\"id\""]
        )
    }

    /// The integer by which FTS5 knows the row of a trigger.
    func number(of row: String) -> String {
        guard keyType != nil else { return "\(row).\"id\"" }
        let numbers = SQLText.quote(Self.numbers(of: table))
        return "(SELECT \"number\" FROM \(numbers) WHERE \"id\" = \(row).\"id\")"
    }

    private var row: String { SQLText.quote(table) }
}

extension SearchIndex {
    /// The words of a searchable entity.
    init(of entity: EntitySchema) {
        self.init(
            table: entity.table, columns: entity.searchable.map { entity.columns[$0].name },
            keyType: entity.hasIntegerID ? nil : entity.columns[0].storage.sqlType)
    }
}

extension TableLayout {
    /// The words of the table that are kept for searching, if any are.
    var searchIndex: SearchIndex? {
        searchable.isEmpty
            ? nil : SearchIndex(table: name, columns: searchable, keyType: numberedKeyType)
    }

    /// The type of the IDs, if rows are known by a number of searching in place of it.
    var numberedKeyType: String? {
        hasRowID ? nil : columns.first { $0.isKey }?.type ?? ""
    }
}
