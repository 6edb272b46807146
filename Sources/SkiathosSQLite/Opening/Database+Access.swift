import GRDB
import GRDBSQLite
import SkiathosStore

extension Database {
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
