import GRDB
import GRDBSQLite
import SkiathosStore

extension StoreOpener {
    /// Makes sure that SQLite has opened the file for writing, as it was asked to.
    ///
    /// Where that fails, SQLite opens it for reading instead and says nothing: the store would seem
    /// open, and refuse every write (`unixOpen` in sqlite.org/src/file/src/os_unix.c).
    func requireWritable(_ database: Database, _ path: StorePath) throws {
        guard let handle = database.sqliteConnection, sqlite3_db_readonly(handle, "main") != 0
        else { return }
        let reason = SystemCalls.reasonNotToOpen(path.file)
        throw StoreError(
            reason.code,
            "\(path.words) can only be read, though it was to be opened for writing. \(reason.advice) The file was left as it was."
        )
    }
}
