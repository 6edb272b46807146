import CSkiathosSQLite
import GRDBSQLite
import Testing

/// A connection that joins the writes of frames, with so few pages in memory that it writes some before a
/// commit.
final class JoiningConnection: RawConnection {
    static let pageSize = 1024

    override init(_ path: String) throws {
        try super.init(path)
        try run("PRAGMA page_size = \(Self.pageSize)")
        try run("PRAGMA journal_mode = WAL")
        try run("PRAGMA synchronous = NORMAL")
        try run("PRAGMA wal_autocheckpoint = 0")
        try run("PRAGMA cache_size = 8")
        try run("PRAGMA cache_spill = 8")
        try run("CREATE TABLE IF NOT EXISTS item (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        try run("CREATE INDEX IF NOT EXISTS item_text ON item (text)")
        try #require(skiathos_join_frame_writes(handle, Int32(Self.pageSize)) == SQLITE_OK)
    }
}
