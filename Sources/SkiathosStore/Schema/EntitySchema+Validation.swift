extension EntitySchema {
    /// Makes the checks that need only this entity.
    ///
    /// - Throws: ``StoreError`` with code `invalidSchema`.
    func validate() throws {
        try validateNames()
        if columns[0].isOptional || columns[0].storage == .real || columns[0].storage == .decimal {
            throw StoreError(
                .invalidSchema,
                "The ID of \(typeName) must be an integer, text or bytes, and cannot be optional.",
                entity: table, columns: ["id"])
        }
        try validateReferences()
        try validateSearch()
        try validateFormerNames()
    }

    private func validateNames() throws {
        let lowercased = table.lowercased()
        guard !table.isEmpty, !lowercased.hasPrefix("sqlite_"), !lowercased.hasPrefix("skiathos_"),
            !table.utf8.contains(0)
        else {
            throw StoreError(
                .invalidSchema,
                "\(typeName) asks for the table \"\(table)\". A table needs a name that does not begin with sqlite_ or skiathos_."
            )
        }
        let names = Dictionary(grouping: columns) { $0.name.lowercased() }
        if let duplicates = names.values.first(where: { $0.count > 1 }) {
            throw StoreError(
                .invalidSchema,
                "\(typeName) has more than one column named \(duplicates[0].name); the database does not tell upper from lower case.",
                entity: table, columns: duplicates.map(\.name))
        }
        if columns.contains(where: { $0.name.isEmpty || $0.name.utf8.contains(0) }) {
            throw StoreError(
                .invalidSchema, "\(typeName) has a column without a name, or with NUL in its name.",
                entity: table)
        }
        if let column = columns.first(where: { $0.name.lowercased().hasPrefix("skiathos_") }) {
            throw StoreError(
                .invalidSchema,
                "\(typeName).\(column.name) begins with skiathos_, which only names of the store's own do. Give the property another name.",
                entity: table, columns: [column.name])
        }
    }

    private func validateReferences() throws {
        for column in columns where column.askedDeleteRule != nil && column.reference == nil {
            throw StoreError(
                .invalidSchema,
                "\(typeName).\(column.name) has a delete rule but refers to nothing. Give it the type of an entity's ID, such as User.ID, or take the rule away.",
                entity: table, columns: [column.name])
        }
        for column in columns where column.reference?.onDelete == .nullify && !column.isOptional {
            throw StoreError(
                .invalidSchema,
                "\(typeName).\(column.name) is nullified when its target is deleted, so it must be optional. Make it optional or choose .cascade or .deny.",
                entity: table, columns: [column.name])
        }
    }

    /// A search takes words from text.
    private func validateSearch() throws {
        for column in searchable.map({ columns[$0] }) where column.storage != .text {
            throw StoreError(
                .invalidSchema,
                "\(typeName).\(column.name) is to be searched, but is kept as \(column.storage.rawValue) and not as text. Make it a String, or take @Searchable away.",
                entity: table, columns: [column.name])
        }
        guard Set(searchable).count == searchable.count else {
            throw StoreError(
                .invalidSchema,
                "\(typeName) names a column to be searched more than once. Name each once.",
                entity: table, columns: searchable.map { columns[$0].name })
        }
    }

    /// One former name cannot lead to two columns, nor can names be exchanged by declaring them.
    private func validateFormerNames() throws {
        if let table = formerTables.first(where: { $0.lowercased().hasPrefix("skiathos_") }) {
            throw StoreError(
                .invalidSchema,
                "\(typeName) says that its table was called \"\(table)\" before, which is a name of the store's own. Remove it.",
                entity: self.table)
        }
        let names = columns.flatMap(\.formerNames).map { $0.lowercased() }
        let duplicates = Dictionary(grouping: names) { $0 }.values.first { $0.count > 1 }
        if let name = duplicates?.first {
            throw StoreError(
                .invalidSchema,
                "\(typeName) names \"\(name)\" as a former name of columns more than once. Name it once, for the column that it has become.",
                entity: table)
        }
        if let column = columns.dropFirst().first(where: {
            $0.formerNames.contains { $0.lowercased() == "id" }
        }) {
            throw StoreError(
                .invalidSchema,
                "\(typeName).\(column.name) names \"id\" as a former name, which is the column of the IDs and is not renamed. Let a step set the property: UPDATE \"\(table)\" SET \"\(column.name)\" = \"id\".",
                entity: table, columns: [column.name])
        }
        if let cycle = NameMoves.cycle(among: declaredColumns) { throw exchange(of: cycle) }
    }

    /// The names of the columns, with the former ones.
    private var declaredColumns: [NameMoves.Declared] {
        columns.map { NameMoves.Declared($0.name, former: $0.formerNames) }
    }

    private func exchange(of names: [String]) -> StoreError {
        let storages = Set(columns.filter { names.contains($0.name) }.map(\.storage))
        let isConversion = storages.count > 1
        let converts = names.map { "\"\(table).\($0)\"" }.joined(separator: ", ")
        let assignments = zip(names, names.dropFirst() + names.prefix(1)).map { target, source in
            "\"\(isConversion ? "skiathos_new_" : "")\(target)\" = \"\(source)\""
        }.joined(separator: ", ")
        let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
        return StoreError(
            .invalidSchema,
            """
            \(typeName) exchanges the names of its columns \(list) by naming each as a former name of \
            another, which cannot be told from an exchange that was made already. Take these former \
            names away, and let a step exchange the values once: Migration("exchange \
            \(names.joined(separator: ", "))"\(isConversion ? ", converts: [\(converts)]" : "")) { try \
            $0.execute(#"UPDATE "\(table)" SET \(assignments)"#) }
            """, entity: table, columns: names)
    }
}
