import Foundation
import GRDB
import SkiathosStore
import Testing

@testable import SkiathosSQLite

/// Triggers and views that the entities do not ask for.
@Suite struct DeclaredObjectTests {
    private let directory: TemporaryDirectory
    private static let hostile = """
        CREATE TRIGGER evil AFTER INSERT ON shelf BEGIN DELETE FROM volume; END
        """

    init() throws {
        directory = try TemporaryDirectory()
        try ShelfStore.make(at: directory.file())
    }

    private func execute(_ sql: String) throws {
        let queue = try DatabaseQueue(path: directory.file())
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    private func open(_ options: StoreOptions = StoreOptions()) throws -> any PersistentStore {
        try ShelfStore.open(directory.file(), options)
    }

    @Test(arguments: [false, true])
    func `an undeclared trigger is refused with its name and what to do`(isReadOnly: Bool) throws {
        try execute(Self.hostile)
        let before = try directory.bytes()
        let error = try storeError(.schemaMismatch) {
            _ = try open(StoreOptions(isReadOnly: isReadOnly))
        }
        #expect(error.message.contains(#"a trigger "evil" on "shelf""#))
        #expect(error.message.contains("declaredObjects"))
        #expect(try directory.bytes() == before)
    }

    @Test func `a declared trigger runs`() throws {
        try execute(Self.hostile)
        let store = try open(StoreOptions(declaredObjects: ["EVIL", "not there"]))
        #expect(try store.anyReader.read { try $0.integrityProblems() } == [])
        try store.insert(Shelf.self, [9, "new", 1])
        #expect(try store.ids(Volume.self) == [])
        try store.close()
    }

    @Test func `a declared view can be read`() throws {
        try execute("CREATE VIEW rooms AS SELECT room FROM shelf")
        let store = try open(StoreOptions(declaredObjects: ["rooms"]))
        try store.anyReader.read { session in
            try session.readNatively { database in
                let database = try #require(database as? Database)
                let rooms = try Int.fetchAll(database, sql: "SELECT DISTINCT room FROM rooms")
                #expect(rooms.sorted() == [4, 5, 6])
            }
        }
        try store.close()
    }

    @Test func `an object that another program adds meanwhile is named, and does not run`()
        throws
    {
        let entities = [ShelfStore.shelf, ShelfStore.mark]
        let other = try TemporaryDirectory()
        let store = try other.open(entities)
        try store.insert(Weight.self, ["a", 1.5])
        let queue = try DatabaseQueue(path: other.file())
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TRIGGER evil AFTER INSERT ON shelf BEGIN DELETE FROM mark; END;
                    CREATE VIEW "look" AS SELECT * FROM mark;
                    CREATE VIRTUAL TABLE found USING fts5(a);
                    """)
        }
        try queue.close()
        let problems = try store.anyReader.read { try $0.integrityProblems() }
        #expect(problems.count == 3)
        for words in [
            #"a trigger "evil" on "shelf""#, #"a view "look""#, #"a virtual table "found""#,
        ] {
            #expect(problems.contains { $0.contains(words) })
        }
        // Another program's writing past the lock is the end of writing here.
        _ = try storeError(.interference) { try store.insert(Shelf.self, [9, "new", 1]) }
        #expect(try store.all(Weight.self) == [["a", 1.5]])
        try? store.close()
    }

    @Test func `no trigger runs in a store that needs none`() throws {
        let entities = [ShelfStore.shelf, ShelfStore.mark]
        let other = try TemporaryDirectory()
        let store = try other.open(entities)
        try store.insert(Weight.self, ["a", 1.5])
        try store.transaction { session in
            let session = try #require(session as? SQLiteSession)
            try session.perform(
                "CREATE TRIGGER evil AFTER INSERT ON shelf BEGIN DELETE FROM mark; END")
        }
        try store.insert(Shelf.self, [9, "new", 1])
        #expect(try store.all(Weight.self) == [["a", 1.5]])
        try store.close()
    }

    @Test func `SQL can write neither to the schema nor to a search index`() throws {
        let store = try open()
        try store.writer.withSession { session in
            let session = try #require(session as? SQLiteSession)
            try session.perform("PRAGMA writable_schema = ON")
            for sql in [
                "UPDATE sqlite_schema SET sql = sql", "DELETE FROM skiathos_search_volume_data",
            ] { #expect(throws: StoreError.self) { try session.perform(sql) } }
            #expect(try session.integer(SQLText("PRAGMA cell_size_check"), entity: nil) == 1)
        }
        for reader in store.readers {
            try reader.read { session in
                let session = try #require(session as? SQLiteSession)
                let sql =
                    "SELECT trusted_schema + cell_size_check FROM pragma_trusted_schema, pragma_cell_size_check"
                #expect(try session.integer(SQLText(sql), entity: nil) == 1)
            }
        }
        try store.close()
    }

    @Test func `a WAL with pages of another size is refused`() throws {
        let store = try open()
        try store.insert(Shelf.self, [9, "new", 1])
        let log = try directory.bytes("store.sqlite-wal")
        try store.close()
        let queue = try DatabaseQueue(path: directory.file())
        try queue.inDatabase { database in
            try database.execute(sql: "PRAGMA journal_mode = DELETE")
            try database.execute(sql: "PRAGMA page_size = 1024")
            try database.execute(sql: "VACUUM")
            try database.execute(sql: "PRAGMA journal_mode = WAL")
        }
        try queue.close()
        try directory.write(log, "store.sqlite-wal")
        let before = try directory.bytes()
        for isReadOnly in [true, false] {
            _ = try storeError(.damaged) { _ = try open(StoreOptions(isReadOnly: isReadOnly)) }
        }
        #expect(try directory.bytes() == before)
        #expect(try directory.bytes("store.sqlite-wal") == log)
    }
}
