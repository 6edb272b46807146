import GRDB
import GRDBSQLite
public import SkiathosStore

extension SQLiteStore {
    /// Begins a copy of the committed data: a store in a file without a WAL.
    ///
    /// A store in memory is copied in memory at once, and written from there.
    public func beginBackup(to path: String, overwriting: Bool) throws -> any StoreBackup {
        let target = try BackupTarget(path, overwriting: overwriting, source: connections.path)
        let errors = ErrorTranslation(schema, file: target.path.file)
        let source = try connections.path.map { try snapshot($0) } ?? memoryCopy()
        return try SQLiteBackup(source, to: target, errors)
    }

    /// A connection with a snapshot of the committed data.
    private func snapshot(_ path: StorePath) throws -> DatabaseQueue {
        do {
            let queue = try settings(isReadOnly: true).open(path.file)
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
    ///
    /// SQLite would restart a stepwise copy with each commit, since in memory it cannot tell
    /// which pages a commit has changed. A serialized database is a sequence of pages, and
    /// several times faster to make than another database.
    private func memoryCopy() throws -> DatabaseQueue {
        let errors = ErrorTranslation(schema, file: nil)
        let queue: DatabaseQueue
        do { queue = try settings(isReadOnly: false).openInMemory() } catch {
            throw errors.error(error)
        }
        var size: sqlite3_int64 = 0
        let pages = try connections.writer.access { session in
            sqlite3_serialize(session.handle, "main", &size, 0)
        }
        guard let pages else { throw errors.error(SQLITE_NOMEM, "out of memory") }
        let flags = SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY
        let code = queue.inDatabase { copy in
            // Whatever the result, the pages belong to SQLite from here on.
            sqlite3_deserialize(
                copy.sqliteConnection, "main", pages, size, size, UInt32(flags))
        }
        guard code == SQLITE_OK else {
            throw errors.error(code, String(cString: sqlite3_errstr(code)))
        }
        return queue
    }

    private func settings(isReadOnly: Bool) -> ConnectionSettings {
        // What is read once need not be kept.
        ConnectionSettings(
            label: "Skiathos backup", isReadOnly: isReadOnly, cacheSize: 1 << 20,
            objects: AllowedObjects(schema, declared: []))
    }
}
