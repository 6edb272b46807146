import GRDBSQLite
import SkiathosStore

extension MigrationSession {
    func transform(
        from table: String?, into entity: Int,
        completing complete: @escaping ([StoreValue?]) throws -> TransformedRow,
        _ body: (OldRow, [StoreValue?]) throws -> TransformedRow
    ) throws {
        let target = schema.entities[entity]
        if let table {
            try insert(from: table, into: target, body)
        } else {
            try update(target, completing: complete, body)
        }
    }

    private func insert(
        from table: String, into entity: EntitySchema,
        _ body: (OldRow, [StoreValue?]) throws -> TransformedRow
    ) throws {
        guard table.lowercased() != entity.table.lowercased() else {
            throw StoreError(
                .migrationFailed,
                "The step \"\(step.name)\" makes rows of \"\(table)\" from its own rows. Leave the table out to change them."
            )
        }
        recordFilled(entity.table)
        let columns = try presentColumns(of: table)
        let insertion = try RowInsertion(
            entity, columns: try presentColumns(of: entity.table), in: run)
        var report = try report(on: table)
        try run.connection.run("SELECT \(SchemaChange.list(columns)) FROM \(SQLText.quote(table))")
        {
            let old = OldRow(columns: columns, values: StoreValue.values(of: $0))
            let present = entity.columns.map { self.value(of: $0.name, in: old, of: table) }
            try insertion.insert(try body(old, present).values)
            report.rowsDone += 1
            if report.rowsDone % EntityRows.pageSize == 0 { progress?(report) }
        }
        if report.rowsDone % EntityRows.pageSize != 0 || report.rowsDone == 0 { progress?(report) }
    }

    /// The current value in a row of another table: in a converted column, the result of the
    /// steps so far.
    private func value(of column: String, in old: OldRow, of table: String) -> StoreValue? {
        let made = old.storedValue(of: TableRebuild.prefix + column)
        if let made, made != .null || run.filledColumns.contains("\(table).\(column)") {
            return made
        }
        return old.storedValue(of: column)
    }

    private func update(
        _ entity: EntitySchema,
        completing complete: @escaping ([StoreValue?]) throws -> TransformedRow,
        _ body: (OldRow, [StoreValue?]) throws -> TransformedRow
    ) throws {
        let rows = EntityRows(entity, columns: try presentColumns(of: entity.table), in: run)
        let own = converted(of: entity)
        var defaulted = ColumnSet()
        var report = try report(on: entity.table)
        try rows.forEachPage { page in
            for row in page {
                let made = try body(row.old, row.present)
                var changed = made.changed
                // The columns that the step converts are set in every row, also to the
                // default.
                for column in own {
                    let isStored = row.stored[column]?.isSameInStore(as: made.values[column])
                    changed.insert(column, if: isStored != true)
                }
                try rows.store(made.values, changed)
                defaulted.formUnion(made.defaulted.subtracting(changed))
            }
            report.rowsDone += page.count
            progress?(report)
        }
        // Columns that other steps convert are set by those steps.
        for column in defaulted where rows.isConverted(column) { defaulted.remove(column) }
        run.recordTransformation(of: entity, defaulted: defaulted, complete)
        run.recordFilled(own.map { "\(entity.table).\(entity.columns[$0].name)" })
    }

    /// The columns of an entity that the step converts.
    private func converted(of entity: EntitySchema) -> ColumnSet {
        var columns = ColumnSet()
        for (position, column) in entity.columns.enumerated().dropFirst() {
            columns.insert(
                position, if: step.converts.contains("\(entity.table).\(column.name)"))
        }
        return columns
    }

    private func report(on table: String) throws -> MigrationProgress {
        let count = try run.connection.integer("SELECT count(*) FROM \(SQLText.quote(table))")
        return MigrationProgress(step: step.name, table: table, rowsDone: 0, rowCount: count)
    }
}
