import GRDB
import GRDBSQLite
import SkiathosStore

/// A copy that SQLite makes page by page (sqlite.org/backup.html).
///
/// It has its own connection and snapshot, so no read or write waits for it, and no change
/// restarts it. No checkpoint runs meanwhile, so the WAL grows with each write.
///
/// Not `Sendable`: used by one thread at a time.
final class SQLiteBackup: StoreBackup {
    /// How many pages are copied in a step: a mebibyte with pages of the usual size.
    private static let pagesPerStep: Int32 = 256

    private let source: DatabaseQueue
    private let copy: DatabaseQueue
    private let target: BackupTarget
    private let errors: ErrorTranslation
    private let pageSize: Int
    /// SQLite's object; nil once the backup was finished or cancelled.
    private var backup: OpaquePointer?

    /// Begins to copy the snapshot of a connection that belongs to this backup alone.
    ///
    /// - Parameter source: A connection with an open snapshot, or with a database of its own. It is
    ///   closed with the backup.
    init(_ source: DatabaseQueue, to target: BackupTarget, _ errors: ErrorTranslation) throws {
        self.source = source
        self.target = target
        self.errors = errors
        // A file that was there all the same is not discarded.
        try target.create()
        do {
            copy = try Self.makeCopy(target)
            pageSize = try source.inDatabase { try Int.fetchOne($0, sql: "PRAGMA page_size") } ?? 0
            backup = copy.inDatabase { copy in
                source.inDatabase { source in
                    sqlite3_backup_init(
                        copy.sqliteConnection, "main", source.sqliteConnection, "main")
                }
            }
        } catch {
            target.discard()
            throw errors.error(error)
        }
        guard backup != nil else {
            close()
            throw StoreError(.backend, "SQLite could not begin the backup \"\(target.path.file)\".")
        }
    }

    deinit { cancel() }

    func step() throws -> StoreProgress {
        guard let backup else { throw Self.ended() }
        let code = sqlite3_backup_step(backup, Self.pagesPerStep)
        guard code == SQLITE_OK || code == SQLITE_DONE else {
            throw errors.error(code, String(cString: sqlite3_errstr(code)))
        }
        let total = Int(sqlite3_backup_pagecount(backup))
        let left = code == SQLITE_DONE ? 0 : max(1, Int(sqlite3_backup_remaining(backup)))
        return StoreProgress(completed: (total - left) * pageSize, total: total * pageSize)
    }

    func finish() throws {
        guard let backup else { throw Self.ended() }
        do {
            self.backup = nil
            let code = sqlite3_backup_finish(backup)
            guard code == SQLITE_OK else {
                throw errors.error(code, String(cString: sqlite3_errstr(code)))
            }
            try copy.inDatabase { try Self.complete($0) }
            try copy.close()
            try target.take()
            // Nothing depends on this connection any more.
            try? source.close()
        } catch {
            close()
            throw errors.error(error)
        }
    }

    func cancel() {
        guard let backup else { return }
        self.backup = nil
        sqlite3_backup_finish(backup)
        close()
    }

    /// Closes both connections.
    private func close() {
        // A failure here is ignored: the backup has already failed, or was cancelled.
        try? copy.close()
        try? source.close()
        target.discard()
    }

    /// Opens the temporary file, which is written to.
    ///
    /// A file that is discarded after a failure needs no journal. In this locking mode there
    /// is no shared memory either.
    private static func makeCopy(_ target: BackupTarget) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "Skiathos backup"
        let queue = try DatabaseQueue(path: target.temporaryFile, configuration: configuration)
        try queue.inDatabase { database in
            try database.requireWritable(target.temporaryFile)
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            try database.execute(sql: "PRAGMA journal_mode = OFF")
            try database.execute(sql: "PRAGMA synchronous = OFF")
            // Last, since a protected connection does not leave out the journal.
            try ConnectionProtection(allowsTriggers: false, allowsViews: false).apply(to: database)
        }
        return queue
    }

    /// Converts the copy to a file without a WAL, and syncs it.
    private static func complete(_ copy: Database) throws {
        // The header says that there is a WAL, which can only be changed by opening it.
        _ = try Int.fetchOne(copy, sql: "SELECT count(*) FROM sqlite_schema")
        try FileFormat.renewMark(in: copy)
        // Stepped to its end, where the mode is changed: a failure occurs only there.
        let mode = try String.fetchAll(copy, sql: "PRAGMA journal_mode = DELETE").first
        var file: UnsafeMutablePointer<sqlite3_file>?
        let found = withUnsafeMutablePointer(to: &file) {
            sqlite3_file_control(copy.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, $0)
        }
        guard mode == "delete", found == SQLITE_OK, let file,
            let sync = file.pointee.pMethods?.pointee.xSync
        else { throw StoreError(.backend, "SQLite could not complete the backup.") }
        let code = sync(file, SQLITE_SYNC_FULL)
        guard code == SQLITE_OK else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code), message: "the backup could not be synced")
        }
    }

    private static func ended() -> StoreError {
        StoreError(.backend, "The backup has ended already. Begin another one.")
    }
}
