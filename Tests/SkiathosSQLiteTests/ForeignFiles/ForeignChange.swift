import Foundation
import GRDB
import GRDBSQLite
import SkiathosStore
import Testing

/// What another program has done to a file, with SQLite alone.
struct ForeignChange: Sendable, CustomTestStringConvertible {
    let name: String
    /// Statements that are executed one after the other.
    var statements: [String] = []
    /// Whether the schema is written to as if it were a table.
    var editsSchema = false
    /// How many bytes at the end of each page are set aside.
    var reservedBytes: Int32 = 0
    /// Whether the store must be taken as it is then, if that is known.
    var isTaken: Bool?

    var testDescription: String { name }

    init(
        _ name: String, _ statements: [String] = [], editsSchema: Bool = false,
        reservedBytes: Int32 = 0, isTaken: Bool? = nil
    ) {
        self.name = name
        self.statements = statements
        self.editsSchema = editsSchema
        self.reservedBytes = reservedBytes
        self.isTaken = isTaken
    }

    /// Makes the change.
    func make(at path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.inDatabase { database in
            var reserved = reservedBytes
            if reserved > 0 {
                sqlite3_file_control(
                    database.sqliteConnection, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved)
            }
            try database.execute(sql: "PRAGMA foreign_keys = OFF")
            if editsSchema { try database.execute(sql: "PRAGMA writable_schema = ON") }
            for statement in statements { try database.execute(sql: statement) }
        }
        try queue.close()
    }
}

extension ForeignChange {
    /// What makes a file that has content, but no tables.
    static let emptyFiles: [ForeignChange] = {
        let pageSizes = [4096, 512, 1024, 65536]
        let encodings = ["UTF-8", "UTF-16le", "UTF-16be"]
        let vacuums = ["NONE", "FULL", "INCREMENTAL"]
        let modes = ["DELETE", "WAL"]
        let marks = [(0, 0), (0x536B_6961, 0), (0x536B_6961, 1), (0x536B_6961, -1), (7, 0), (0, 1)]
        var files: [ForeignChange] = []
        for (size, encoding, vacuum, mode, reserved, mark) in product(
            pageSizes, encodings, vacuums, modes, [0, 32], marks)
        {
            // Pairs of what is unusual find what single properties do not; triples cost more than
            // they find.
            let unusual = [
                size != 4096, encoding != "UTF-8", vacuum != "NONE", mode != "DELETE",
                reserved != 0, mark != (0, 0),
            ].count(where: { $0 })
            guard unusual <= 2 else { continue }
            files.append(
                ForeignChange(
                    "empty: pages of \(size), \(encoding), auto_vacuum \(vacuum), \(mode), \(reserved) reserved, marks \(mark)",
                    [
                        "PRAGMA page_size = \(size)", "PRAGMA encoding = '\(encoding)'",
                        "PRAGMA auto_vacuum = \(vacuum)", "CREATE TABLE t (a)", "DROP TABLE t",
                        "PRAGMA application_id = \(mark.0)", "PRAGMA user_version = \(mark.1)",
                        "VACUUM", "PRAGMA journal_mode = \(mode)",
                    ], reservedBytes: Int32(reserved),
                    isTaken: encoding == "UTF-8" && vacuum == "NONE" && mark == (0, 0)))
        }
        return files
    }()

    /// What is done to a store.
    static let changedStores: [ForeignChange] =
        unusualFormats + foreignObjects + changedTables + damagedSchemas

    private static let unusualFormats: [ForeignChange] = [
        ForeignChange("nothing", isTaken: true),
        ForeignChange("pages of 512", ["PRAGMA page_size = 512", "VACUUM"], isTaken: true),
        ForeignChange("pages of 65536", ["PRAGMA page_size = 65536", "VACUUM"], isTaken: true),
        ForeignChange("reserved bytes", ["VACUUM"], reservedBytes: 32, isTaken: true),
        ForeignChange(
            "automatic vacuum", ["PRAGMA auto_vacuum = FULL", "VACUUM"], isTaken: false),
        ForeignChange(
            "incremental vacuum", ["PRAGMA auto_vacuum = INCREMENTAL", "VACUUM"], isTaken: false),
        ForeignChange("a log", ["PRAGMA journal_mode = WAL"], isTaken: true),
        ForeignChange("no layout version", ["PRAGMA user_version = 0"], isTaken: false),
        ForeignChange("a negative version", ["PRAGMA user_version = -3"], isTaken: false),
        ForeignChange("no application ID", ["PRAGMA application_id = 0"], isTaken: false),
        ForeignChange("statistics", ["ANALYZE"], isTaken: true),
    ]

    private static let foreignObjects: [ForeignChange] = [
        ForeignChange(
            "a trigger that deletes",
            [
                "CREATE TRIGGER evil AFTER INSERT ON shelf BEGIN DELETE FROM volume; END"
            ], isTaken: false),
        ForeignChange(
            "a trigger that is called like one of searching",
            [
                "CREATE TRIGGER skiathos_search_shelf_insert AFTER INSERT ON shelf BEGIN DELETE FROM volume; END"
            ]),
        ForeignChange(
            "a trigger of searching with another body",
            [
                "DROP TRIGGER skiathos_search_volume_insert",
                "CREATE TRIGGER skiathos_search_volume_insert AFTER INSERT ON shelf BEGIN DELETE FROM volume; END",
            ]),
        ForeignChange(
            "a trigger on a table of the store's own",
            [
                "CREATE TRIGGER evil AFTER INSERT ON skiathos_layout BEGIN DELETE FROM volume; END"
            ], isTaken: false),
        ForeignChange("a view", ["CREATE VIEW v AS SELECT * FROM shelf"], isTaken: false),
        ForeignChange(
            "a trigger on a view",
            [
                "CREATE VIEW v AS SELECT * FROM shelf",
                "CREATE TRIGGER evil INSTEAD OF DELETE ON v BEGIN DELETE FROM volume; END",
            ], isTaken: false),
        ForeignChange("a virtual table", ["CREATE VIRTUAL TABLE f USING fts5(t)"], isTaken: false),
        ForeignChange(
            "a virtual table that is called like one of searching",
            ["CREATE VIRTUAL TABLE skiathos_search_none USING fts5(t)"]),
        ForeignChange(
            "a virtual table of a module that is not there",
            [
                "INSERT INTO sqlite_schema VALUES ('table', 'm', 'm', 0, 'CREATE VIRTUAL TABLE m USING nothing(t)')"
            ], editsSchema: true, isTaken: false),
        ForeignChange("a table", ["CREATE TABLE t (a)"], isTaken: false),
        ForeignChange(
            "a table of numbers", ["CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT)"]),
        ForeignChange("an index", ["CREATE INDEX mine ON shelf (room, name)"], isTaken: true),
        ForeignChange(
            "an index of an expression", ["CREATE INDEX mine ON shelf (lower(name))"], isTaken: true
        ),
    ]

    private static let changedTables: [ForeignChange] = [
        edit(
            "a collation", "\"name\" TEXT NOT NULL", "\"name\" TEXT NOT NULL COLLATE NOCASE",
            "shelf"),
        edit(
            "a check", "\"room\" INTEGER NOT NULL", "\"room\" INTEGER NOT NULL CHECK (room < 9)",
            "shelf"),
        edit(
            "a conflict clause", "\"name\" TEXT NOT NULL",
            "\"name\" TEXT NOT NULL ON CONFLICT REPLACE DEFAULT 'x'", "shelf"),
        edit("automatic numbers", "PRIMARY KEY", "PRIMARY KEY AUTOINCREMENT", "shelf"),
        edit("another delete rule", "ON DELETE CASCADE", "ON DELETE SET NULL", "volume"),
        edit("a key that is checked at once", "DEFERRABLE INITIALLY DEFERRED", "", "volume"),
        edit(
            "an update rule", "ON DELETE CASCADE", "ON UPDATE CASCADE ON DELETE CASCADE", "volume"),
        edit("no strict table", "STRICT", "", "shelf"),
        ForeignChange(
            "a unique index that takes no notice of spaces",
            [
                "DROP INDEX shelf_unique_name",
                "CREATE UNIQUE INDEX shelf_unique_name ON shelf (name COLLATE RTRIM)",
            ]),
        ForeignChange("no unique index", ["DROP INDEX shelf_unique_name"]),
        ForeignChange(
            "a unique index on some rows",
            [
                "DROP INDEX shelf_unique_name",
                "CREATE UNIQUE INDEX shelf_unique_name ON shelf (name) WHERE room > 7",
            ]),
        ForeignChange(
            "a further column", ["ALTER TABLE shelf ADD COLUMN more TEXT"], isTaken: false),
        ForeignChange(
            "a further generated column",
            ["ALTER TABLE shelf ADD COLUMN more TEXT AS (name || 'x')"], isTaken: false),
        ForeignChange(
            "a generated column in the place of another",
            [
                "DROP INDEX shelf_index_room", "ALTER TABLE shelf DROP COLUMN room",
                "ALTER TABLE shelf ADD COLUMN room INTEGER NOT NULL AS (CASE id WHEN 1 THEN 4 WHEN 2 THEN 5 WHEN 3 THEN 5 ELSE 6 END) VIRTUAL",
            ]),
        remade(
            "a table without row IDs",
            "CREATE TABLE shelf (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, room INTEGER NOT NULL) STRICT, WITHOUT ROWID"
        ),
        remade(
            "a key that goes down",
            "CREATE TABLE shelf (id INTEGER PRIMARY KEY DESC NOT NULL, name TEXT NOT NULL, room INTEGER NOT NULL) STRICT"
        ),
        remade(
            "unique constraints that replace",
            "CREATE TABLE shelf (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL, room INTEGER NOT NULL, UNIQUE (name) ON CONFLICT REPLACE) STRICT"
        ),
        remade(
            "columns in another order",
            "CREATE TABLE shelf (room INTEGER NOT NULL, name TEXT NOT NULL, id INTEGER PRIMARY KEY NOT NULL) STRICT"
        ),
        remade(
            "names without quotes and with comments",
            "CREATE TABLE shelf (id integer primary key not null, -- CHECK this\n name text not null /* COLLATE */, [room] integer not null) strict"
        ),
        ForeignChange("no numbers", ["DROP TABLE skiathos_sequence"]),
        ForeignChange("no rows of numbers", ["DELETE FROM skiathos_sequence"]),
        ForeignChange("no words", ["DROP TABLE skiathos_search_volume"]),
    ]

    private static let damagedSchemas: [ForeignChange] = [
        schema(
            "one root for two tables",
            "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'volume') WHERE name = 'shelf'"
        ),
        schema(
            "one root for a table and an index",
            "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'shelf') WHERE name = 'shelf_index_room'"
        ),
        schema(
            "the root of another index",
            "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'shelf_unique_name') WHERE name = 'shelf_index_room'"
        ),
        schema(
            "a root beyond the end",
            "UPDATE sqlite_schema SET rootpage = 70000 WHERE name = 'shelf'"),
        schema("a root of nothing", "UPDATE sqlite_schema SET rootpage = 0 WHERE name = 'shelf'"),
        schema(
            "the root of the schema itself",
            "UPDATE sqlite_schema SET rootpage = 1 WHERE name = 'shelf'"),
        schema("a negative root", "UPDATE sqlite_schema SET rootpage = -4 WHERE name = 'shelf'"),
        schema(
            "a root that is a text",
            "UPDATE sqlite_schema SET rootpage = 'two' WHERE name = 'shelf'"),
        schema("no statement", "UPDATE sqlite_schema SET sql = NULL WHERE name = 'shelf'"),
        schema("no SQL", "UPDATE sqlite_schema SET sql = 'CREATE TABLE' WHERE name = 'shelf'"),
        schema(
            "a statement of another kind",
            "UPDATE sqlite_schema SET sql = 'DELETE FROM shelf' WHERE name = 'mark'"),
        schema(
            "a row that is missing", "DELETE FROM sqlite_schema WHERE name = 'shelf_unique_name'"),
        schema(
            "a table twice",
            "INSERT INTO sqlite_schema SELECT * FROM sqlite_schema WHERE name = 'shelf'"),
        schema(
            "another name of a trigger's table",
            "UPDATE sqlite_schema SET tbl_name = 'shelf' WHERE name = 'skiathos_search_volume_insert'"
        ),
        schema(
            "a hidden trigger",
            "INSERT INTO sqlite_schema VALUES ('index', 'evil', 'shelf', 0, 'CREATE TRIGGER evil AFTER INSERT ON shelf BEGIN DELETE FROM volume; END')"
        ),
        schema(
            "a hidden trigger among tables",
            "INSERT INTO sqlite_schema VALUES ('table', 'evil', 'none', 0, 'CREATE TRIGGER evil AFTER INSERT ON shelf BEGIN DELETE FROM volume; END')"
        ),
        schema(
            "a hidden trigger under one of searching",
            "INSERT INTO sqlite_schema VALUES ('trigger', 'skiathos_search_volume_insert', 'volume', 0, 'CREATE TRIGGER evil AFTER INSERT ON shelf BEGIN DELETE FROM volume; END')"
        ),
        schema(
            "a hidden view",
            "INSERT INTO sqlite_schema VALUES ('table', 'v', 'v', 0, 'CREATE VIEW v AS SELECT 1')"),
    ]

    private static func edit(
        _ name: String, _ old: String, _ new: String, _ table: String
    ) -> ForeignChange {
        let (old, new) = (
            "'\(old.replacing("'", with: "''"))'", "'\(new.replacing("'", with: "''"))'"
        )
        return ForeignChange(
            name,
            ["UPDATE sqlite_schema SET sql = replace(sql, \(old), \(new)) WHERE name = '\(table)'"],
            editsSchema: true)
    }

    private static func remade(_ name: String, _ creation: String) -> ForeignChange {
        ForeignChange(
            name,
            [
                "CREATE TEMP TABLE kept AS SELECT id, name, room FROM shelf", "DROP TABLE shelf",
                creation, "INSERT INTO shelf (id, name, room) SELECT id, name, room FROM kept",
                "CREATE INDEX shelf_index_room ON shelf (room)",
                creation.contains("UNIQUE")
                    ? "SELECT 1" : "CREATE UNIQUE INDEX shelf_unique_name ON shelf (name)",
            ])
    }

    private static func schema(_ name: String, _ sql: String) -> ForeignChange {
        ForeignChange(name, [sql], editsSchema: true)
    }
}

/// All combinations of six lists.
private func product<A, B, C, D, E, F>(
    _ a: [A], _ b: [B], _ c: [C], _ d: [D], _ e: [E], _ f: [F]
) -> [(A, B, C, D, E, F)] {
    var all: [(A, B, C, D, E, F)] = []
    for a in a {
        for b in b {
            for c in c {
                for d in d {
                    for e in e {
                        for f in f {
                            all.append((a, b, c, d, e, f))
                        }
                    }
                }
            }
        }
    }
    return all
}
