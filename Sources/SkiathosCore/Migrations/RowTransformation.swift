import SkiathosStore

/// Makes values of an entity from rows of an older schema, and rows from the values again.
struct RowTransformation<E: Entity> {
    let schema: EntitySchema
    /// Whether the rows are new ones, whose IDs are free to choose.
    let isInsertion: Bool

    /// What a closure makes of a row, one value for each column.
    func values(
        of old: OldRow, _ body: (OldRow, inout E) throws -> Void
    ) throws -> [StoreValue] {
        let start = try entity(from: old)
        var entity = start
        try body(old, &entity)
        guard isInsertion || entity.id == start.id else {
            throw DataAccessError(
                .invalidID,
                "A step has changed the ID of a row of \(E.self). IDs are final; make new rows from another table instead."
            )
        }
        var values = try entity.storedValues()
        if entity.id == .unassigned { values[0] = try generatedID() }
        return values
    }

    /// What the row has where it fits, and the defaults elsewhere.
    private func entity(from old: OldRow) throws -> E {
        let defaults = try E(id: .unassigned).storedValues()
        var values = defaults
        for (position, column) in schema.columns.enumerated() {
            if let value = old.storedValue(of: column.name),
                value.fits(column.storage, isOptional: column.isOptional)
            {
                values[position] = value
            }
        }
        do {
            return try decode(values)
        } catch is StoreError {
            // An old text may not be the name of any case of today's enumeration, or today's JSON.
            for position in values.indices {
                var alone = defaults
                alone[position] = values[position]
                if (try? decode(alone)) == nil { values[position] = defaults[position] }
            }
            return try decode(values)
        }
    }

    private func decode(_ values: [StoreValue]) throws -> E {
        try ValueRow(values).read { try E(row: $0) }
    }

    /// The ID of a row that was given none.
    private func generatedID() throws -> StoreValue {
        if E.RawID.storage == .integer { return .null }
        if let type = E.RawID.self as? any GeneratedKey.Type, let key = type.generate() {
            return try StoreValue.capture { try key.bind(to: $0, at: 0) }
        }
        throw DataAccessError(
            .invalidID,
            "A step has made a \(E.self) without an ID, and none is generated. Set its id in the closure."
        )
    }
}

extension Entity {
    /// The values of all columns as they are stored.
    func storedValues() throws -> [StoreValue] {
        try Self.schema.columns.indices.map { column in
            do {
                return try StoreValue.capture { try bind(column, to: $0, at: 0) }
            } catch let error as StoreError {
                throw error.locating(
                    entity: Self.schema.table, columns: [Self.schema.columns[column].name])
            }
        }
    }

    /// The schema with what rows get that are there when a column is added.
    static var schemaWithDefaults: EntitySchema {
        var schema = schema
        let value = Self(id: .unassigned)
        for column in schema.columns.indices.dropFirst() {
            // A default that cannot be stored is none.
            schema.columns[column].defaultValue = try? StoreValue.capture {
                try value.bind(column, to: $0, at: 0)
            }
        }
        return schema
    }
}
