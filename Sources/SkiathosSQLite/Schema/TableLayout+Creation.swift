extension TableLayout {
    /// The statements that create tables, their indexes and what they are searched with.
    static func creation(of tables: [TableLayout]) -> [String] {
        var names = IndexNames(taken: tables.map(\.name))
        return tables.flatMap {
            [$0.tableCreation] + $0.indexCreations(&names) + $0.searchCreations
        }
    }

    /// The statement that creates the table alone.
    var tableCreation: String { tableCreation(named: name) }

    /// The statement that creates the table alone under another name.
    func tableCreation(named name: String) -> String {
        let columns = columns.map { definition(of: $0) }.joined(separator: ", ")
        let options = (isStrict ? ["STRICT"] : []) + (hasRowID ? [] : ["WITHOUT ROWID"])
        return "CREATE TABLE \(SQLText.quote(name)) (\(columns)) \(options.joined(separator: ", "))"
    }

    /// A column as in `CREATE TABLE`.
    func definition(of column: Column) -> String {
        var text = "\(SQLText.quote(column.name)) \(column.type)"
        if column.isKey { text += " PRIMARY KEY" }
        if column.isRequired { text += " NOT NULL" }
        for reference in references where reference.column == column.name {
            text += " " + Self.definition(of: reference)
        }
        return text
    }

    /// A foreign key as in `CREATE TABLE`.
    static func definition(of reference: Reference) -> String {
        let target = "\(SQLText.quote(reference.target))(\(SQLText.quote(reference.targetColumn)))"
        return "REFERENCES \(target) ON DELETE \(reference.onDelete) DEFERRABLE INITIALLY DEFERRED"
    }

    private var searchCreations: [String] {
        searchIndex?.creations ?? []
    }

    private func indexCreations(_ names: inout IndexNames) -> [String] {
        uniqueKeys.map { indexCreation(on: $0, isUnique: true, &names) }
            + indexes.map { indexCreation(on: $0, isUnique: false, &names) }
    }

    /// The statement that creates one index.
    func indexCreation(
        on columns: [IndexColumn], isUnique: Bool, _ names: inout IndexNames
    ) -> String {
        let wish =
            Self.indexPrefix(of: name, isUnique: isUnique)
            + columns.map(\.name).joined(separator: "_")
        let index = SQLText.quote(names.next(wish))
        return "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(index) ON \(on(columns))"
    }

    /// The prefix of the names of the indexes that belong to a table's keys.
    ///
    /// An index with another name was made by the user, and is left alone.
    static func indexPrefix(of table: String, isUnique: Bool) -> String {
        "\(table)_\(isUnique ? "unique" : "index")_"
    }

    private func on(_ columns: [IndexColumn]) -> String {
        let terms = columns.map { column in
            SQLText.quote(column.name) + (column.collation.map { " COLLATE \($0)" } ?? "")
        }
        return "\(SQLText.quote(name)) (\(terms.joined(separator: ", ")))"
    }
}

/// Finds names for indexes, which share one space with tables and each other.
struct IndexNames {
    private var taken: Set<String>

    init(taken: [String]) { self.taken = Set(taken.map { $0.lowercased() }) }

    /// The wish, or the wish with the first number that makes it new.
    mutating func next(_ wish: String) -> String {
        var name = wish
        var number = 2
        while !taken.insert(name.lowercased()).inserted {
            name = "\(wish)_\(number)"
            number += 1
        }
        return name
    }
}
