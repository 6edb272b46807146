import GRDBSQLite

/// A cursor of SQLite over the rows of a change.
///
/// SQLite sees only the first field and passes its address back. Only SQLite calls these
/// functions, on the queue of the connection.
struct BulkCursor {
    private var base = sqlite3_vtab_cursor()
    /// The rows, which the statement's caller retains; nil for a query other than ours.
    private var rows: Unmanaged<BulkRows>?
    private var row = 0
    private var rowCount = 0

    /// SQLite's structure of a cursor.
    typealias Handle = UnsafeMutablePointer<sqlite3_vtab_cursor>

    static func open(_ cursor: UnsafeMutablePointer<Handle?>?) -> Int32 {
        let memory = UnsafeMutablePointer<BulkCursor>.allocate(capacity: 1)
        memory.initialize(to: BulkCursor())
        cursor?.pointee = UnsafeMutableRawPointer(memory).assumingMemoryBound(
            to: sqlite3_vtab_cursor.self)
        return SQLITE_OK
    }

    static func close(_ handle: Handle?) -> Int32 {
        if let handle { state(of: handle).deallocate() }
        return SQLITE_OK
    }

    static func begin(_ handle: Handle?, _ argument: OpaquePointer?) -> Int32 {
        guard let handle else { return SQLITE_MISUSE }
        let rows = BulkRows.rows(in: argument)
        let count = rows?._withUnsafeGuaranteedRef { $0.count } ?? 0
        state(of: handle).pointee.rows = rows
        state(of: handle).pointee.row = 0
        state(of: handle).pointee.rowCount = count
        guard count > 0, let rows else { return SQLITE_OK }
        return rows._withUnsafeGuaranteedRef { $0.beginScan() }
    }

    @inline(__always)
    static func next(_ handle: Handle?) -> Int32 {
        guard let handle else { return SQLITE_MISUSE }
        let state = state(of: handle)
        state.pointee.row += 1
        let row = state.pointee.row
        guard let rows = state.pointee.rows else { return SQLITE_OK }
        guard row < state.pointee.rowCount else {
            rows._withUnsafeGuaranteedRef { $0.end() }
            return SQLITE_OK
        }
        return rows._withUnsafeGuaranteedRef { $0.move(to: row) }
    }

    @inline(__always)
    static func isAtEnd(_ handle: Handle?) -> Int32 {
        guard let handle else { return 1 }
        let state = state(of: handle)
        return state.pointee.row < state.pointee.rowCount ? 0 : 1
    }

    @inline(__always)
    static func answer(_ handle: Handle?, _ context: OpaquePointer?, _ column: Int32) -> Int32 {
        guard let handle, let context, let rows = state(of: handle).pointee.rows else {
            return SQLITE_OK
        }
        return rows._withUnsafeGuaranteedRef { $0.answer(context, column) }
    }

    static func rowID(_ handle: Handle?, _ id: UnsafeMutablePointer<sqlite3_int64>?) -> Int32 {
        if let handle { id?.pointee = sqlite3_int64(state(of: handle).pointee.row) }
        return SQLITE_OK
    }

    @inline(__always)
    private static func state(of handle: Handle) -> UnsafeMutablePointer<BulkCursor> {
        UnsafeMutableRawPointer(handle).assumingMemoryBound(to: BulkCursor.self)
    }
}
