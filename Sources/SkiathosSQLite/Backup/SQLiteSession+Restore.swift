import GRDBSQLite
import SkiathosStore

// Rows are read from a connection of the backup and inserted here, in one transaction of the
// writer. Copying pages over the open file would be faster. But it would commit without
// notifying commit observers, could shrink the file and so look like interference, and could
// not set the limits of IDs in the same transaction. Attaching the file would open it for
// writing.
extension SQLiteSession {
    /// After how many rows progress is reported and cancellation is checked.
    private static let rowsPerReport = 1000

    func restore(
        from path: String, _ progress: (StoreProgress) throws -> Void
    ) throws -> [Int64] {
        try requireWritable()
        willChange()
        let ownFile = sqlite3_db_filename(handle, "main").map { String(cString: $0) } ?? ""
        let source = try RestoreSource(path, into: ownFile, shared)
        defer { source.close() }
        return try source.access { source in
            let entities = shared.schema.entities.indices
            let counts = try entities.map { try source.count(FetchRequest(entity: $0)) }
            var report = StoreProgress(completed: 0, total: counts.reduce(0, +))
            try progress(report)
            for entity in entities.reversed() { try deleteAll(of: entity) }
            for entity in entities { try copy(entity, from: source, &report, progress) }
            try progress(report)
            return try entities.map { try source.highestID(of: $0) }
        }
    }

    /// Copies the rows of an entity in the order of their IDs, in which they are appended.
    private func copy(
        _ entity: Int, from source: SQLiteSession, _ report: inout StoreProgress,
        _ progress: (StoreProgress) throws -> Void
    ) throws {
        let entitySQL = shared.requests.entities[entity]
        let columns = Int32(entitySQL.columns.count)
        let sql = """
            SELECT \(entitySQL.columnList) FROM \(entitySQL.table) ORDER BY \(entitySQL.columns[0])
            """
        try source.statement(sql).use { rows in
            try statement(entitySQL.insert).use { insertion in
                var code = sqlite3_step(rows.pointer)
                while code == SQLITE_ROW {
                    for column in 0..<columns {
                        // The value is copied, so it may come from another connection.
                        let bound = sqlite3_bind_value(
                            insertion.pointer, column + 1,
                            sqlite3_column_value(rows.pointer, column))
                        guard bound == SQLITE_OK else { throw failure(bound, entity: entity) }
                    }
                    try check(sqlite3_step(insertion.pointer), entity: entity)
                    sqlite3_reset(insertion.pointer)
                    report.completed += 1
                    if report.completed.isMultiple(of: Self.rowsPerReport) { try progress(report) }
                    code = sqlite3_step(rows.pointer)
                }
                try source.check(code, entity: entity)
            }
        }
    }
}
