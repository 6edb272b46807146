import SkiathosStore

/// The columns by which values find their rows.
package struct UpsertKey<E: Entity>: Sendable {
    /// The positions of the columns, which are unique together.
    package let columns: [Int]

    /// - Throws: ``DataAccessError`` with code `invalidRequest` if the columns are not a
    ///   unique key.
    package init(_ keyPaths: [PartialKeyPath<E>]) throws {
        guard !keyPaths.isEmpty else {
            columns = [0]
            return
        }
        columns = try keyPaths.map { keyPath -> Int in
            guard let column = E.column(at: keyPath) else {
                throw DataAccessError(
                    .invalidRequest,
                    "upsert of \(E.schema.typeName) was given a key path that is not a column: \(keyPath)."
                )
            }
            return column
        }
        let wanted = Set(columns)
        guard wanted == [0] || E.schema.uniqueKeys.contains(where: { Set($0) == wanted }) else {
            let names = columns.map { E.schema.columns[$0].name }.joined(separator: ", ")
            throw DataAccessError(
                .invalidRequest,
                "upsert of \(E.schema.typeName) by \(names) needs these columns to be unique together. Mark them with @Unique."
            )
        }
    }

    /// The values of the key's columns, or `nil` if they equal no row.
    ///
    /// - Throws: ``DataAccessError`` with code `invalidID` if the key is the ID, and the value has none.
    func values(of value: E) throws -> [StoreValue]? {
        if columns == [0], value.id == .unassigned {
            throw DataAccessError(
                .invalidID,
                "upsert of \(E.schema.typeName) by its ID was given a value without an ID, which equals no row and would be inserted again each time. Give it the ID of its row, name the columns of a unique key, or call create."
            )
        }
        let values = try columns.map { column in
            try StoreValue.capture { try value.bind(column, to: $0, at: 0) }
        }
        return values.contains(.null) ? nil : values
    }

    /// How many keys share a query.
    private static var batch: Int { 500 }

    /// The objects whose rows have the same key as some values, by their keys.
    func objects(
        matching candidates: [E], having keys: [[StoreValue]], in unit: UnitOfWork<E>
    ) throws -> [[StoreValue]: Managed<E>] {
        var objects: [Managed<E>] = []
        if columns == [0] {
            // Objects that the write tracks are found without the store, so nothing is
            // flushed.
            objects = try E.find(candidates.map(\.id), in: unit.context).found
        } else {
            for start in stride(from: 0, to: keys.count, by: Self.batch) {
                let part = keys[start..<min(start + Self.batch, keys.count)]
                objects += try fetch(predicate(part), in: unit)
            }
        }
        var found: [[StoreValue]: Managed<E>] = [:]
        for object in objects where !object.state.contains(.deleted) {
            if let key = try values(of: object.current) { found[key] = object }
        }
        return found
    }

    private func fetch(
        _ predicate: StorePredicate, in unit: UnitOfWork<E>
    ) throws -> [Managed<E>] {
        var objects: [Managed<E>] = []
        let request = FetchRequest(entity: unit.entity, predicate: predicate)
        try unit.context.query { session in
            try session.fetch(request) { try E.decodeRows(&$0, into: &objects, of: unit) }
        }
        // A query of a hook does not see what is about to be flushed.
        return unit.context.preparation.isRunning ? objects + unit.pending : objects
    }

    private func predicate(_ keys: ArraySlice<[StoreValue]>) -> StorePredicate {
        if columns.count == 1, keys.count > 1 {
            return .contained(.column(columns[0]), keys.map { $0[0] })
        }
        let parts = keys.map { key in
            StorePredicate.all(
                zip(columns, key).map { .comparison(.column($0), .equal, .value($1)) })
        }
        return parts.count == 1 ? parts[0] : .any(parts)
    }
}
