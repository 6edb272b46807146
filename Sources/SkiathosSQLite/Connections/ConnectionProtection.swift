import CSkiathosSQLite
import GRDB
import GRDBSQLite

/// Settings that have SQLite expect a file to be hostile
/// (sqlite.org/security.html).
struct ConnectionProtection: Sendable {
    /// Whether triggers of the file may run.
    var allowsTriggers: Bool
    /// Whether views of the file may be read.
    var allowsViews: Bool

    /// Protects a connection.
    func apply(to database: Database) throws {
        let code = set(on: database.sqliteConnection)
        guard code == SQLITE_OK else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage)
        }
        try database.execute(sql: "PRAGMA cell_size_check = ON")
        // Without it, the rows that INSERT OR REPLACE removes run no trigger, and their words stay in the
        // search index (sqlite.org/lang_conflict.html).
        if allowsTriggers { try database.execute(sql: "PRAGMA recursive_triggers = ON") }
    }

    private func set(on connection: OpaquePointer?) -> Int32 {
        let trusts = (allowsTriggers || allowsViews) && !Self.searchingIsInnocuous
        return skiathos_protect_connection(
            connection, trusts ? 1 : 0, allowsTriggers ? 1 : 0, allowsViews ? 1 : 0)
    }

    /// Whether triggers may fill tables of full-text search in a schema that is not trusted.
    ///
    /// Older versions of SQLite refuse that, though their full-text search is as harmless. So where
    /// triggers or views are needed the schema is trusted with them; they are known by then, and so
    /// are the tables.
    static let searchingIsInnocuous: Bool = {
        var connection: OpaquePointer?
        defer { sqlite3_close_v2(connection) }
        guard sqlite3_open(":memory:", &connection) == SQLITE_OK,
            skiathos_protect_connection(connection, 0, 1, 0) == SQLITE_OK
        else { return false }
        let sql = """
            CREATE VIRTUAL TABLE words USING fts5(a); CREATE TABLE t (a);
            CREATE TRIGGER filling AFTER INSERT ON t BEGIN INSERT INTO words VALUES (new.a); END;
            INSERT INTO t VALUES ('word')
            """
        return sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK
    }()
}
