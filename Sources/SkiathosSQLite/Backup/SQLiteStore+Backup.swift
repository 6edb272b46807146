import GRDB
import GRDBSQLite
public import SkiathosStore

extension SQLiteStore {
    /// Begins a copy of what is committed: a store in a file, without a log, wherever this one is.
    ///
    /// A store in memory is copied in memory at once, and written from there.
    public func beginBackup(to path: String, overwriting: Bool) throws -> any StoreBackup {
        let target = try BackupTarget(path, overwriting: overwriting, source: connections.path)
        let errors = ErrorTranslation(schema, file: target.path.file)
        let source = try connections.path.map { try snapshot($0) } ?? memoryCopy()
        return try SQLiteBackup(source, to: target, errors)
    }

    /// A connection with a snapshot of what is committed.
    private func snapshot(_ path: StorePath) throws -> DatabaseQueue {
        do {
            let queue = try Self.settings(isReadOnly: true).open(path.file)
            try queue.inDatabase { database in
                try database.execute(sql: "BEGIN DEFERRED")
                _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema")
            }
            return queue
        } catch {
            throw ErrorTranslation(schema, file: path.file).error(error)
        }
    }

    /// A connection with a copy of the database in memory.
    private func memoryCopy() throws -> DatabaseQueue {
        let errors = ErrorTranslation(schema, file: nil)
        let queue: DatabaseQueue
        do { queue = try Self.settings(isReadOnly: false).openInMemory() } catch {
            throw errors.error(error)
        }
        try connections.writer.access { session in
            try queue.inDatabase { copy in
                let backup = sqlite3_backup_init(
                    copy.sqliteConnection, "main", session.handle, "main")
                let code = sqlite3_backup_step(backup, -1)
                sqlite3_backup_finish(backup)
                guard code == SQLITE_DONE else {
                    throw errors.error(code, String(cString: sqlite3_errstr(code)))
                }
            }
        }
        return queue
    }

    private static func settings(isReadOnly: Bool) -> ConnectionSettings {
        // What is read once need not be kept.
        ConnectionSettings(label: "Skiathos backup", isReadOnly: isReadOnly, cacheSize: 1 << 20)
    }
}
