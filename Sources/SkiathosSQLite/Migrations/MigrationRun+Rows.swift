import SkiathosStore

/// The columns of an entity in which rows may have no value of its type after the steps.
struct RowCompletion {
    var columns: ColumnSet
    /// Converts a row to the form of the entity.
    var complete: ([StoreValue?]) throws -> TransformedRow
}

extension MigrationRun {
    /// Stores the defaults where transformed rows still have no value.
    ///
    /// Only after all steps: an earlier step about one column must not overwrite data that a
    /// later step reads.
    ///
    /// - Throws: ``StoreError`` with code `migrationFailed`, if there is a value that the entity cannot
    ///   read.
    func completeRows() throws {
        for (entity, completion) in completions.sorted(by: { $0.key < $1.key })
        where !completion.columns.isEmpty {
            guard let entity = schema.entities.first(where: { $0.table == entity }),
                let columns = try columnNames(of: entity.table)
            else { continue }
            let rows = EntityRows(entity, columns: columns, in: self)
            // A column that a step has dropped is reported by the checks afterwards.
            guard rows.isComplete else { continue }
            var unreadable: [Int: UnreadableValues] = [:]
            try rows.forEachPage { page in
                for row in page {
                    let made = try completion.complete(row.present)
                    let defaulted = made.defaulted.intersection(completion.columns)
                    for column in defaulted where (row.present[column] ?? .null) != .null {
                        unreadable[
                            column,
                            default: UnreadableValues(
                                entity.table, entity.columns[column].name)
                        ].add(row.present[0] ?? .null)
                    }
                    if unreadable.isEmpty { try rows.store(made.values, defaulted) }
                }
            }
            let problems = unreadable.sorted { $0.key < $1.key }.compactMap(\.value.description)
            try Self.refuse(problems)
        }
    }

    /// Reads the values of columns that the steps may have changed.
    ///
    /// - Throws: ``StoreError`` with code `migrationFailed`, if there are some that the program cannot
    ///   read.
    func readKinds(_ changes: [KindChange]) throws {
        try Self.refuse(
            changes.compactMap {
                try $0.problem(at: $0.target, on: connection, options.migrationProgress)
            })
    }

    private static func refuse(_ problems: [String]) throws {
        guard problems.isEmpty else {
            throw StoreError(.migrationFailed, problems.joined(separator: " "))
        }
    }

    /// The names of the columns of a table or view, or `nil` if there is none of the name.
    func columnNames(of table: String) throws -> [String]? {
        let names = try connection.strings(
            "SELECT name FROM pragma_table_xinfo(\(StoreValue.quoted(table))) ORDER BY cid")
        return names.isEmpty ? nil : names
    }

    /// Drops the unique indexes of the store's own that have one of these columns; returns whether
    /// there were any.
    ///
    /// The unique indexes of the entity are created again after the steps.
    func dropUniqueIndexes(of table: String, on columns: [String]) throws -> Bool {
        guard !columns.isEmpty else { return false }
        let found = try TableInfo.introspect(connection.database).first { $0.name == table }
        let indexes = (found?.indexes ?? []).filter { index in
            index.isUnique && index.isOwn(of: table)
                && index.columns.contains { columns.contains($0.name) }
        }
        for index in indexes { try connection.run("DROP INDEX \(SQLText.quote(index.name))") }
        return !indexes.isEmpty
    }
}
