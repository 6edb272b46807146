import CSkiathosSQLite
import GRDBSQLite
import SkiathosPlatformLibC
import SkiathosStore

/// A table of an entity, and where its columns are in the rows that the pre-update hook shows.
///
/// The order of the columns in a file may be another than that of the entity, since new ones are
/// added at the end.
struct RecordedTable {
    /// One column of the entity.
    private struct Column {
        /// Its place in the table.
        let place: Int32
        let storage: StorageClass
        let isRequired: Bool
        /// The value of rows that are older than the column.
        let fallback: StoreValue?
    }

    private let name: [CChar]
    private let columns: [Column]
    private let columnCount: Int32

    /// Looks the table of an entity up.
    ///
    /// - Throws: ``StoreError`` if the table cannot be read.
    init(_ entity: EntitySchema, in session: SQLiteSession) throws {
        var found: [String: (place: Int32, fallback: StoreValue?)] = [:]
        var count: Int32 = 0
        let sql = "SELECT name, hidden, dflt_value FROM pragma_table_xinfo(?) ORDER BY cid"
        try session.statement(sql).use { statement in
            try session.bind([.text(entity.table)], to: statement, entity: nil)
            while true {
                let code = sqlite3_step(statement.pointer)
                guard code == SQLITE_ROW else { return try session.check(code) }
                let row = StoreValue.values(of: statement.pointer)
                // The places of generated columns differ from one version of SQLite to the next.
                guard case .text(let name) = row[0], row[1] == .integer(0) else { continue }
                var fallback: StoreValue?
                if case .text(let literal) = row[2] { fallback = StoreValue(sqlLiteral: literal) }
                found[name] = (count, fallback)
                count += 1
            }
        }
        name = Array(entity.table.utf8CString)
        columnCount = count
        columns = entity.columns.compactMap { column in
            found[column.name].map {
                Column(
                    place: $0.place, storage: column.storage, isRequired: !column.isOptional,
                    fallback: $0.fallback)
            }
        }
        isReadable = columns.count == entity.columns.count
    }

    /// Whether every column of the entity was found.
    let isReadable: Bool

    /// Whether the table has this name.
    @inline(__always)
    func isNamed(_ other: UnsafePointer<CChar>) -> Bool { strcmp(name, other) == 0 }

    /// The changing row before the change, or `nil` if it cannot be told.
    func rowBefore(_ connection: OpaquePointer) -> [StoreValue]? {
        row(connection, skiathos_value_before)
    }

    /// The changing row after the change, or `nil` if it cannot be told.
    func rowAfter(_ connection: OpaquePointer) -> [StoreValue]? {
        row(connection, skiathos_value_after)
    }

    private func row(
        _ connection: OpaquePointer,
        _ read: (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Int32
    ) -> [StoreValue]? {
        guard isReadable, skiathos_observed_column_count(connection) == columnCount else {
            return nil
        }
        var row: [StoreValue] = []
        row.reserveCapacity(columns.count)
        for column in columns {
            var value: OpaquePointer?
            guard read(connection, column.place, &value) == SQLITE_OK, let value,
                let read = Self.value(value, column)
            else { return nil }
            row.append(read)
        }
        return row
    }

    /// A value, read as a column of a query is.
    private static func value(_ value: OpaquePointer, _ column: Column) -> StoreValue? {
        let reader = RowReader(
            statement: value, functions: SQLiteFunctions.arguments.pointer)
        if reader.isNull(at: 0) {
            // SQLite may show no value in place of the default of a column that was added
            // after the row.
            return column.isRequired ? column.fallback : .null
        }
        return switch column.storage {
        case .integer: .integer(reader.integer(at: 0))
        case .real: .real(reader.real(at: 0))
        case .text, .decimal: reader.text(at: 0).map { .text($0) }
        case .blob: reader.withBytes(at: 0) { .blob([UInt8]($0)) }
        }
    }
}
