import GRDBSQLite

/// A read that the writer's connection keeps open from the end of one transaction to the beginning of the next.
///
/// To begin a read, SQLite locks one of the marks in the shared memory of the WAL, and mostly moves it before;
/// at the end of the read it unlocks the mark. These are four of the six locking calls of a small transaction.
/// A transaction neither begins nor ends a read if a statement of the same connection is in one
/// (`sqlite3BtreeBeginTrans`, `btreeEndTransaction` in sqlite.org/src/file/src/btree.c).
///
/// While a read is kept:
/// - No checkpoint gets past its mark, so it ends before each one, and if it is unused for one to two seconds.
/// - SQLite does not forget an interruption, since a statement is open; see ``SQLiteWriter``.
/// - After a failure, SQLite repairs the state of the connection only when no statement is open, so the read
///   ends before each rollback.
/// - SQLite refuses a transaction without a wait if another program has a lock, so it is tried again without
///   the read.
///
/// Not `Sendable`: used only by the holder of the connection, which guards every field.
struct KeptRead {
    /// The statement that is in the read; `nil` if none is.
    private var statement: OpaquePointer?
    /// Whether the read began after the last check for unused ones.
    private var isNew = false

    /// Whether a read is kept.
    var isOpen: Bool { statement != nil }

    /// Begins to keep a read, unless that fails.
    ///
    /// - Parameter statement: One that has a row and is not in use.
    mutating func begin(_ statement: OpaquePointer) {
        guard self.statement == nil else { return }
        guard sqlite3_step(statement) == SQLITE_ROW else {
            sqlite3_reset(statement)
            return
        }
        self.statement = statement
        isNew = true
    }

    /// Ends the read, if there is one.
    @inline(__always)
    mutating func end() {
        guard let statement else { return }
        sqlite3_reset(statement)
        self.statement = nil
    }

    /// Ends the read unless it began after the last call; returns whether none is kept.
    mutating func endIfUnused() -> Bool {
        if isOpen, isNew {
            isNew = false
            return false
        }
        end()
        return true
    }
}

extension SQLiteSession {
    /// Keeps a read, beginning in the transaction that is about to be committed.
    func keepRead(_ version: CommitCounter) {
        // Without it, the next transaction begins a read of its own.
        guard let statement = try? pointer(to: .keepReading) else { return }
        unrecorded { keptRead.begin(statement) }
        version.snapshotTaken()
    }

    /// Begins a transaction that writes, in the kept read if that is possible.
    func beginWriting() throws {
        guard keptRead.isOpen else { return try perform(.beginWriting) }
        let code = try execute(.beginWriting)
        keptRead.end()
        if code != SQLITE_DONE { try perform(.beginWriting) }
    }
}
