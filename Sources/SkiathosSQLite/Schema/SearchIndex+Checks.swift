import SkiathosStore

extension SearchIndex {
    /// The suffixes of the tables beside that of FTS5.
    private static let shadows = [
        "data", "idx", "content", "docsize", "config", "numbers", "rows",
    ]

    /// Refuses names that FTS5 has another use for.
    ///
    /// - Throws: ``StoreError`` with code `invalidSchema`.
    static func check(_ schema: StoreSchema) throws {
        let searched = schema.entities.filter { !$0.searchable.isEmpty }
        let tables = Dictionary(
            searched.map { ($0.table.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
        for entity in searched {
            let taken = [
                "rank", "rowid", "skiathos_number", name(of: entity.table).lowercased(),
            ]
            for column in entity.searchable.map({ entity.columns[$0].name })
            where taken.contains(column.lowercased()) {
                throw StoreError(
                    .invalidSchema,
                    "\(entity.typeName).\(column) is to be searched, but SQLite's full-text search uses the name \(column) itself. Give the property another name.",
                    entity: entity.table, columns: [column])
            }
            for shadow in shadows {
                guard let other = tables["\(entity.table)_\(shadow)".lowercased()] else { continue }
                throw StoreError(
                    .invalidSchema,
                    "\(entity.typeName) and \(other.typeName) are both to be searched, but SQLite's full-text search of the table \"\(entity.table)\" uses the name that the one of \"\(other.table)\" needs. Give one of them another table.",
                    entity: entity.table)
            }
        }
    }
}
