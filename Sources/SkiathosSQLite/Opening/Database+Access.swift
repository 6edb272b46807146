import GRDB
import GRDBSQLite
import SkiathosStore

extension Database {
    /// Runs statements that open the files of a store, and throws the system's own failure if the disk
    /// is full.
    ///
    /// SQLite reports a full disk as such only where it writes pages. If the index of the WAL has no
    /// room, its result code says no more than that a call has failed. The number of that failure is
    /// asked for here, since the connection is closed when the error is translated.
    func namingFullDisk<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as DatabaseError {
            guard ResultCodes.failedGrowth.contains(error.extendedResultCode.rawValue),
                let handle = sqliteConnection
            else { throw error }
            let failure = SystemCalls.Failure(number: sqlite3_system_errno(handle))
            guard failure.code == .diskFull else { throw error }
            throw failure
        }
    }

    /// Throws unless SQLite has opened the file for writing.
    ///
    /// If that fails, SQLite silently opens it for reading instead: the store would seem open,
    /// and refuse every write (`unixOpen` in sqlite.org/src/file/src/os_unix.c).
    func requireWritable(_ file: String) throws {
        guard let handle = sqliteConnection, sqlite3_db_readonly(handle, "main") != 0
        else { return }
        let reason = SystemCalls.reasonNotToOpen(file)
        throw StoreError(
            reason.code,
            "\"\(file)\" can only be read, though it was to be opened for writing. \(reason.advice) The file was left as it was."
        )
    }
}
