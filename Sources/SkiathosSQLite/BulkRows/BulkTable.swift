import CSkiathosSQLite
import GRDBSQLite
import SkiathosStore

/// The table-valued function through which a statement reads the rows of a change.
///
/// ```sql
/// INSERT INTO "user" ("id", "name") SELECT "c0", "c1" FROM skiathos_rows(?)
/// ```
///
/// Beginning and ending a statement costs SQLite about as much as one row; this way a
/// statement begins and ends once for all rows. Measured with nine columns: two thirds of the
/// instructions for inserts, and three quarters for updates and deletions.
///
/// The rows come as a pointer (sqlite.org/bindptr.html), which SQL can neither make nor read:
/// another query of the table finds it empty, and a trigger or view cannot name it. It is part
/// of the connection and not of any file, so schemas, backups and integrity checks do not
/// contain it.
enum BulkTable {
    /// The name of the function, with the prefix that tables of users cannot have.
    static let name = "skiathos_rows"

    /// One more than an entity's columns: an update may set all others, and ends with the ID.
    private static let columnCount = ColumnSet.capacity + 1

    /// The column at a position of the rows.
    static func column(_ position: Int) -> String { "\"c\(position)\"" }

    /// Registers the function on a connection.
    static func register(on connection: OpaquePointer?) -> Int32 {
        sqlite3_create_module_v2(connection, name, module.pointer, nil, nil)
    }

    /// SQLite keeps the address as long as a connection exists.
    private struct Module: @unchecked Sendable {
        // Sendable: what is behind the pointer is written once, before this value exists, and is
        // only read from then on.
        let pointer: UnsafeMutablePointer<sqlite3_module>
    }

    private static let module: Module = {
        var module = sqlite3_module()
        // Without `xCreate` no table can be made of it, in any schema.
        module.xConnect = { connection, _, _, _, table, _ in
            BulkTable.connect(connection, table)
        }
        module.xBestIndex = { _, plan in BulkTable.plan(plan) }
        module.xDisconnect = { table in
            table?.deallocate()
            return SQLITE_OK
        }
        module.xOpen = { _, cursor in BulkCursor.open(cursor) }
        module.xClose = { BulkCursor.close($0) }
        module.xFilter = { cursor, _, _, count, arguments in
            BulkCursor.begin(cursor, count > 0 ? arguments?[0] : nil)
        }
        module.xNext = { BulkCursor.next($0) }
        module.xEof = { BulkCursor.isAtEnd($0) }
        module.xColumn = { BulkCursor.answer($0, $1, $2) }
        module.xRowid = { BulkCursor.rowID($0, $1) }
        let pointer = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        pointer.initialize(to: module)
        return Module(pointer: pointer)
    }()

    private static func connect(
        _ connection: OpaquePointer?,
        _ table: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?
    ) -> Int32 {
        let columns = (0..<columnCount).map(column).joined(separator: ", ")
        var code = sqlite3_declare_vtab(
            connection, "CREATE TABLE \(name) (\(columns), \"rows\" HIDDEN)")
        if code == SQLITE_OK { code = skiathos_forbid_table_in_schema(connection) }
        guard code == SQLITE_OK, let table else { return code }
        let memory = UnsafeMutablePointer<sqlite3_vtab>.allocate(capacity: 1)
        memory.initialize(to: sqlite3_vtab())
        table.pointee = memory
        return SQLITE_OK
    }

    /// The only plan: reading all rows.
    ///
    /// The reported cost is high, so that SQLite scans the rows once, as the outer loop, and
    /// not for each row of another table.
    private static func plan(_ plan: UnsafeMutablePointer<sqlite3_index_info>?) -> Int32 {
        guard let plan else { return SQLITE_MISUSE }
        plan.pointee.estimatedCost = 1e9
        plan.pointee.estimatedRows = 1
        for index in 0..<Int(plan.pointee.nConstraint) {
            guard let constraint = plan.pointee.aConstraint?[index], constraint.usable != 0,
                Int(constraint.iColumn) == columnCount,
                Int32(constraint.op) == SQLITE_INDEX_CONSTRAINT_EQ
            else { continue }
            plan.pointee.aConstraintUsage?[index].argvIndex = 1
            // A pointer is equal to nothing.
            plan.pointee.aConstraintUsage?[index].omit = 1
            break
        }
        return SQLITE_OK
    }
}
