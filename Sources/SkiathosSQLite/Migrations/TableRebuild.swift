import SkiathosStore

/// A table that is rebuilt in its final form, since SQLite cannot change it in place
/// (sqlite.org/lang_altertable.html, section 7).
///
/// Indexes and triggers of the user's own are kept. Foreign keys must not be enforced
/// meanwhile. Renaming must not update references, which already use the table's final name.
struct TableRebuild {
    /// The prefix of temporary tables and columns of a migration.
    static let prefix = "skiathos_new_"

    let found: TableInfo
    let expected: TableLayout

    /// The statements, in order.
    var statements: [String] {
        let (old, new) = (SQLText.quote(expected.name), SQLText.quote(Self.prefix + expected.name))
        let columns = expected.columns.map(\.name)
        let sources = columns.map { SQLText.quote(source(of: $0)) }.joined(separator: ", ")
        var statements = [
            expected.tableCreation(named: Self.prefix + expected.name),
            "INSERT INTO \(new) (\(SchemaChange.list(columns))) SELECT \(sources) FROM \(old)",
            "DROP TABLE \(old)",
            "ALTER TABLE \(new) RENAME TO \(old)",
        ]
        statements += keptIndexes.compactMap(\.sql)
        statements += found.triggers.map(\.sql)
        return statements
    }

    /// The column that has the values of a column.
    func source(of column: String) -> String {
        let converted = Self.prefix + column
        return found.columnNames.contains(converted) ? converted : column
    }

    /// The indexes that are made again: those of the entity, and the user's own.
    var keptIndexes: [TableInfo.Index] {
        let names = Set(expected.columns.map(\.name))
        return found.indexes.filter { index in
            let isWanted = index.isOwn(of: expected.name) ? expected.asks(for: index) : true
            // The columns of an expression are only known to SQLite.
            return isWanted
                && index.columns.allSatisfy {
                    names.contains($0.name) || $0.name.hasPrefix("(")
                }
        }
    }
}

extension TableLayout {
    /// Whether an index serves a key of the table.
    func asks(for index: TableInfo.Index) -> Bool {
        (index.isUnique ? uniqueKeys : indexes).contains(index.columns)
    }
}
