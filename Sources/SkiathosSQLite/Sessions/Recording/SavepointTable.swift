import CSkiathosSQLite
import GRDBSQLite

/// A virtual table without rows that takes part in transactions, and so learns what is rolled back.
///
/// SQLite reports changes of rows as they are made, also by statements that fail and are rolled back.
/// To virtual tables, and to nothing else, it reports each savepoint, also the one that a statement
/// has of its own (sqlite.org/vtab.html#the_xsavepoint_xrelease_and_xrollbackto_methods). A table
/// takes part in a transaction from the first statement on that changes it:
///
/// ```sql
/// DELETE FROM skiathos_savepoints
/// ```
///
/// Like ``BulkTable`` it is part of the connection and not of any file.
enum SavepointTable {
    /// The name of the table, with the prefix that tables of users cannot have.
    static let name = "skiathos_savepoints"

    /// Registers the table on a connection, which retains the recorder until it is closed.
    static func register(_ recorder: ChangeRecorder, on connection: OpaquePointer) -> Int32 {
        let context = Unmanaged.passRetained(recorder).toOpaque()
        // Called also if this fails.
        return sqlite3_create_module_v2(connection, name, module.pointer, context) { context in
            guard let context else { return }
            Unmanaged<ChangeRecorder>.fromOpaque(context).release()
        }
    }

    /// The table as SQLite sees it, which is the first field, and the recorder of the connection.
    private struct Table {
        var base = sqlite3_vtab()
        /// The registration retains it longer than any table exists.
        let recorder: Unmanaged<ChangeRecorder>
    }

    private typealias Handle = UnsafeMutablePointer<sqlite3_vtab>

    /// SQLite keeps the address as long as a connection exists.
    private struct Module: @unchecked Sendable {
        // Sendable: what is behind the pointer is written once, before this value exists, and is
        // only read from then on.
        let pointer: UnsafeMutablePointer<sqlite3_module>
    }

    private static let module: Module = {
        var module = sqlite3_module()
        // The first version with savepoints.
        module.iVersion = 2
        // Without `xCreate` no table can be made of it, in any schema.
        module.xConnect = { connection, context, _, _, table, _ in
            SavepointTable.connect(connection, context, table)
        }
        module.xDisconnect = { table in
            table?.deallocate()
            return SQLITE_OK
        }
        addReading(to: &module)
        module.xUpdate = { _, _, _, _ in SQLITE_READONLY }
        module.xBegin = { SavepointTable.report($0) { $0.transactionJoined() } }
        module.xCommit = { SavepointTable.report($0) { $0.transactionEnded() } }
        module.xRollback = { SavepointTable.report($0) { $0.transactionEnded() } }
        module.xSavepoint = { table, number in
            SavepointTable.report(table) { $0.opened(number) }
        }
        module.xRelease = { table, number in
            SavepointTable.report(table) { $0.released(number) }
        }
        module.xRollbackTo = { table, number in
            SavepointTable.report(table) { $0.rolledBack(to: number) }
        }
        let pointer = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        pointer.initialize(to: module)
        return Module(pointer: pointer)
    }()

    /// The functions that find no row.
    private static func addReading(to module: inout sqlite3_module) {
        module.xBestIndex = { _, _ in SQLITE_OK }
        module.xOpen = { _, cursor in
            let memory = UnsafeMutablePointer<sqlite3_vtab_cursor>.allocate(capacity: 1)
            memory.initialize(to: sqlite3_vtab_cursor())
            cursor?.pointee = memory
            return SQLITE_OK
        }
        module.xClose = { cursor in
            cursor?.deallocate()
            return SQLITE_OK
        }
        module.xFilter = { _, _, _, _, _ in SQLITE_OK }
        module.xNext = { _ in SQLITE_OK }
        module.xEof = { _ in 1 }
        module.xColumn = { _, _, _ in SQLITE_OK }
        module.xRowid = { _, _ in SQLITE_OK }
    }

    private static func connect(
        _ connection: OpaquePointer?, _ context: UnsafeMutableRawPointer?,
        _ table: UnsafeMutablePointer<Handle?>?
    ) -> Int32 {
        var code = sqlite3_declare_vtab(connection, "CREATE TABLE \(name) (savepoint)")
        if code == SQLITE_OK { code = skiathos_forbid_table_in_schema(connection) }
        guard code == SQLITE_OK, let table, let context else { return code }
        let memory = UnsafeMutablePointer<Table>.allocate(capacity: 1)
        memory.initialize(to: Table(recorder: .fromOpaque(context)))
        table.pointee = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: sqlite3_vtab.self)
        return SQLITE_OK
    }

    private static func report(_ handle: Handle?, _ body: (ChangeRecorder) -> Void) -> Int32 {
        guard let handle else { return SQLITE_MISUSE }
        let table = UnsafeMutableRawPointer(handle).assumingMemoryBound(to: Table.self)
        table.pointee.recorder._withUnsafeGuaranteedRef(body)
        return SQLITE_OK
    }
}
