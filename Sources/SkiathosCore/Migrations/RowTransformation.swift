import SkiathosStore

/// Decodes values of an entity from rows of an older schema, and encodes them as rows again.
struct RowTransformation<E: Entity> {
    let schema: EntitySchema
    /// Whether the rows are new ones, whose IDs are free to choose.
    let isInsertion: Bool

    /// Transforms a row by a closure.
    ///
    /// - Parameter present: The present value of each column of the entity; `nil` for a column
    ///   that the row lacks.
    func row(
        of old: OldRow, _ present: [StoreValue?], _ body: (OldRow, inout E) throws -> Void
    ) throws -> TransformedRow {
        let start = try start(present)
        var entity = start.entity
        try body(old, &entity)
        guard isInsertion || entity.id == start.entity.id else {
            throw DataAccessError(
                .invalidID,
                "A step has changed the ID of a row of \(E.self). IDs are final; make new rows from another table instead."
            )
        }
        var row = TransformedRow(try entity.storedValues(), changed: ColumnSet())
        let before = try start.entity.storedValues()
        for column in row.values.indices.dropFirst() {
            let isChanged = !row.values[column].isSameInStore(as: before[column])
            row.changed.insert(column, if: isChanged)
            row.defaulted.insert(column, if: !isChanged && start.defaulted.contains(column))
        }
        if entity.id == .unassigned { row.values[0] = try generatedID() }
        return row
    }

    /// A row as it is, with the defaults of the entity where no value fits.
    func unchanged(_ present: [StoreValue?]) throws -> TransformedRow {
        let start = try start(present)
        return TransformedRow(
            try start.entity.storedValues(), changed: ColumnSet(), defaulted: start.defaulted)
    }

    /// The values of the row where they fit, and the defaults elsewhere.
    private func start(
        _ present: [StoreValue?]
    ) throws -> (entity: E, defaulted: ColumnSet) {
        let defaults = try E(id: .unassigned).storedValues()
        var values = defaults
        var defaulted = ColumnSet()
        for (position, column) in schema.columns.enumerated() {
            if let value = present[position],
                value.fits(column.storage, isOptional: column.isOptional)
            {
                values[position] = value
            } else {
                defaulted.insert(position)
            }
        }
        do {
            return (try decode(values), defaulted)
        } catch is StoreError {
            // An old text may not be the name of any case of the present enumeration, or valid
            // JSON of the present type.
            for position in values.indices {
                var alone = defaults
                alone[position] = values[position]
                if (try? decode(alone)) == nil {
                    values[position] = defaults[position]
                    defaulted.insert(position)
                }
            }
            return (try decode(values), defaulted)
        }
    }

    private func decode(_ values: [StoreValue]) throws -> E {
        try ValueRow(values).read { try E(row: $0) }
    }

    /// The ID of a row that has none.
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
        try (0..<Self.schema.columns.count).map { try storedValue(of: $0) }
    }

    /// The values of some columns as they are stored, with null for others before the last of them.
    ///
    /// - Parameter columns: The columns; all of the entity for ``ColumnSet/all``.
    func storedValues(_ columns: ColumnSet) throws -> [StoreValue] {
        if columns == .all { return try storedValues() }
        var values: [StoreValue] = []
        values.reserveCapacity(UInt64.bitWidth - columns.bits.leadingZeroBitCount)
        for column in columns {
            while values.count < column { values.append(.null) }
            values.append(try storedValue(of: column))
        }
        return values
    }

    /// The values of all columns as they are stored.
    ///
    /// - Parameters:
    ///   - columns: The columns in which the row differs from another one.
    ///   - other: The values of the other row.
    func storedValues(_ columns: ColumnSet, besides other: [StoreValue]) throws -> [StoreValue] {
        var values = other
        for column in columns { values[column] = try storedValue(of: column) }
        return values
    }

    private func storedValue(of column: Int) throws -> StoreValue {
        do {
            return try StoreValue.capture { try bind(column, to: $0, at: 0) }
        } catch let error as StoreError {
            throw error.locating(
                entity: Self.schema.table, columns: [Self.schema.columns[column].name])
        }
    }

    /// The schema with the values that existing rows get when a column is added.
    static var schemaWithDefaults: EntitySchema {
        var schema = schema
        let value = Self(id: .unassigned)
        for column in schema.columns.indices.dropFirst() {
            // A default that cannot be stored is left out.
            schema.columns[column].defaultValue = try? StoreValue.capture {
                try value.bind(column, to: $0, at: 0)
            }
        }
        return schema
    }
}
