import GRDB
import Skiathos
import SkiathosGRDB
import SkiathosTesting
import Testing

@Suite struct WriteTests {
    @Test(arguments: [1, 20, 1_000], [false, true])
    func `a trigger keeps its own rule for conflicts, however many rows are written`(
        _ count: Int, _ isTemporary: Bool
    ) async throws {
        try await withNotes(.file, declaring: ["first_tag"]) { dal in
            try await dal.write { context in
                try context.sqlite { db in
                    try db.execute(
                        sql: """
                            CREATE \(isTemporary ? "TEMP" : "") TRIGGER "first_tag"
                            AFTER INSERT ON "note" BEGIN
                                INSERT OR IGNORE INTO "tag" ("id", "color") VALUES ('new', '#0f0');
                            END
                            """)
                }
            }
            try await dal.write { context in
                for number in 0..<count { try Note.create(in: context) { $0.text = "\(number)" } }
            }
            let (notes, tags): (Int, Int) = try await dal.read {
                (try Note.count(in: $0), try Tag.count(in: $0))
            }
            #expect(notes == count)
            #expect(tags == 1)
        }
    }

    @Test(arguments: Place.allCases)
    func `raw SQL sees the pending changes of its write, and its objects see what it has changed`(
        _ place: Place
    ) async throws {
        try await withNotes(place) { dal in
            try await dal.write { context in
                let note = try Note.create(in: context) { $0.text = "one" }
                let tag = try Tag.create(id: "red", in: context)
                let gone = try Tag.create(id: "gone", in: context)
                try context.sqlite { db in
                    #expect(try Int.fetchOne(db, sql: #"SELECT count(*) FROM "tag""#) == 2)
                    try db.execute(sql: #"UPDATE "note" SET "text" = "text" || ' and two'"#)
                    // Tables without row IDs are not observed by SQLite's hooks.
                    try db.execute(sql: #"UPDATE "tag" SET "color" = '#f00' WHERE "id" = 'red'"#)
                    try db.execute(sql: #"DELETE FROM "tag" WHERE "id" = 'gone'"#)
                }
                #expect(note.text == "one and two")
                #expect(tag.color == "#f00")
                #expect(try Tag.find("gone", in: context) == nil)
                _ = gone
                note.text += " and three"
            }
            let texts: [String] = try await dal.read { try Note.all(in: $0).map(\.text) }
            #expect(texts == ["one and two and three"])
        }
    }

    @Test(arguments: Place.allCases)
    func `IDs that raw SQL has inserted are not handed out again`(_ place: Place) async throws {
        try await withNotes(place) { dal in
            let id: Note.ID = try await dal.write { context in
                try Note.create(in: context)
                try context.sqlite {
                    try $0.execute(sql: #"INSERT INTO "note" ("id", "text") VALUES (1000, 'raw')"#)
                }
                return try Note.create(in: context).id
            }
            #expect(id == 1001)
        }
    }

    @Test func `an ID that raw SQL has inserted stays taken when its row and process are gone`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let source = StoreSource.sqlite(directory.file("test.sqlite"))
        try await withStore(source, entities: Note.self, Tag.self) { dal -> Void in
            try await dal.write { context in
                try context.sqlite {
                    try $0.execute(sql: #"INSERT INTO "note" ("id", "text") VALUES (1000, 'raw')"#)
                }
            }
            try await dal.write { try Note.deleteAll(in: $0) }
        }
        try await withStore(source, entities: Note.self, Tag.self) { dal -> Void in
            let id: Note.ID = try await dal.write { try Note.create(in: $0).id }
            #expect(id == 1001)
        }
    }

    @Test(arguments: Place.allCases)
    func `an object keeps what is set in it inside the closure`(_ place: Place) async throws {
        try await withNotes(place) { dal in
            try await dal.write { context in
                let note = try Note.create(in: context) { $0.text = "one" }
                let tag = try Tag.create(id: "red", in: context)
                try context.sqlite { db in
                    note.tag = tag.id
                    try db.execute(sql: #"UPDATE "note" SET "text" = 'raw'"#)
                }
                #expect(note.text == "raw")
                #expect(note.tag == tag.id)
            }
            let note: Note? = try await dal.read { try Note.first(in: $0) }
            #expect(note?.text == "raw")
            #expect(note?.tag == "red")
        }
    }

    @Test(arguments: Place.allCases)
    func `a closure that throws leaves nothing of its own, and the write continues`(
        _ place: Place
    ) async throws {
        struct Refusal: Error {}
        try await withNotes(place) { dal in
            try await dal.write { context in
                let note = try Note.create(in: context) { $0.text = "one" }
                #expect(throws: Refusal.self) {
                    try context.sqlite { db in
                        try db.execute(sql: #"UPDATE "note" SET "text" = 'raw'"#)
                        throw Refusal()
                    }
                }
                let error = try #require(throws: StoreError.self) {
                    try context.sqlite { db in
                        try db.execute(sql: #"UPDATE "note" SET "text" = 'raw'"#)
                        try db.execute(
                            sql: #"INSERT INTO "note" ("id", "text") VALUES (1, 'twin')"#)
                    }
                }
                #expect(error.code == .uniqueViolation)
                #expect(error.columns == ["id"])
                #expect(note.text == "one")
            }
            let texts: [String] = try await dal.read { try Note.all(in: $0).map(\.text) }
            #expect(texts == ["one"])
        }
    }

    @Test(arguments: Place.allCases)
    func `a nested scope that fails rolls back raw SQL in the store and in objects`(
        _ place: Place
    ) async throws {
        struct Refusal: Error {}
        try await withNotes(place) { dal in
            try await dal.write { context in
                let note = try Note.create(in: context) { $0.text = "one" }
                #expect(throws: Refusal.self) {
                    try context.nested { context in
                        try context.sqlite {
                            try $0.execute(sql: #"UPDATE "note" SET "text" = 'raw'"#)
                        }
                        #expect(note.text == "raw")
                        throw Refusal()
                    }
                }
                #expect(note.text == "one")
            }
            let texts: [String] = try await dal.read { try Note.all(in: $0).map(\.text) }
            #expect(texts == ["one"])
        }
    }

    @Test(
        arguments: Place.allCases,
        [
            "COMMIT", "ROLLBACK", "ROLLBACK; INSERT INTO note (text) VALUES ('raw')",
            "ROLLBACK; BEGIN; INSERT INTO note (text) VALUES ('raw')", "END; BEGIN",
            #"RELEASE "lent""#, #"RELEASE "level_0""#,
        ])
    func `raw SQL that ends the transaction is an error, and nothing of the write remains`(
        _ place: Place, _ sql: String
    ) async throws {
        try await withNotes(place) { dal in
            try await dal.write { try Note.create(in: $0) { $0.text = "before" } }
            let error = try await #require(throws: StoreError.self) {
                try await dal.write { context in
                    try Note.create(in: context) { $0.text = "lost" }
                    try context.sqlite { try $0.execute(sql: sql) }
                }
            }
            #expect(error.code == .brokenBoundary, "\(error)")
            // Nor if the closure swallows the error.
            let swallowed = try await #require(throws: DataAccessError.self) {
                try await dal.write { context in
                    try Note.create(in: context) { $0.text = "lost" }
                    #expect(throws: StoreError.self) {
                        try context.sqlite { try $0.execute(sql: sql) }
                    }
                }
            }
            #expect(swallowed.code == .transactionLost)
            let texts: [String] = try await dal.read { try Note.all(in: $0).map(\.text) }
            #expect(texts == ["before"])
            try await dal.write { try Note.create(in: $0) }
        }
    }

    @Test(arguments: Place.allCases)
    func `a transaction inside the transaction is refused, and savepoints are free`(
        _ place: Place
    ) async throws {
        try await withNotes(place) { dal in
            try await dal.write { context in
                #expect(throws: StoreError.self) {
                    try context.sqlite { db in try db.inTransaction { .commit } }
                }
                try context.sqlite { db in
                    try db.inSavepoint {
                        try db.execute(sql: #"INSERT INTO "note" ("text") VALUES ('undone')"#)
                        return .rollback
                    }
                    try db.inSavepoint {
                        try db.execute(sql: #"INSERT INTO "note" ("text") VALUES ('kept')"#)
                        return .commit
                    }
                }
            }
            let texts: [String] = try await dal.read { try Note.all(in: $0).map(\.text) }
            #expect(texts == ["kept"])
        }
    }

    @Test(
        arguments: Place.allCases,
        [
            "CREATE TABLE mine (a)", "CREATE VIEW mine AS SELECT 1",
            "CREATE TRIGGER mine AFTER INSERT ON note BEGIN DELETE FROM note; END",
            "CREATE VIRTUAL TABLE mine USING fts5(a)", "DROP TABLE note",
            "ALTER TABLE note ADD COLUMN mine TEXT",
            "ALTER TABLE note RENAME TO mine",
            "DROP TABLE skiathos_sequence", "PRAGMA user_version = 7", "PRAGMA application_id = 7",
        ])
    func `raw SQL that changes the tables of the store is an error, and nothing of it remains`(
        _ place: Place, _ sql: String
    ) async throws {
        try await withNotes(place) { dal in
            let error = try await #require(throws: StoreError.self) {
                try await dal.write { context in
                    try Note.create(in: context)
                    try context.sqlite { try $0.execute(sql: sql) }
                }
            }
            #expect(error.code == .brokenBoundary, "\(error)")
            let count: Int = try await dal.read { try Note.count(in: $0) }
            #expect(count == 0)
            try await dal.write { try Note.create(in: $0) }
        }
    }

    @Test
    func
        `virtual tables, views and triggers that are declared are free, and so are temporary tables`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let source = StoreSource.sqlite(directory.file("test.sqlite"))
        var configuration = Skiathos.Configuration()
        configuration.declaredObjects = ["words", "Note_Words", "brown"]
        try await withStore(
            source, entities: Note.self, Tag.self, configuration: configuration
        ) { dal -> Void in
            try await dal.write { context in
                try Note.create(in: context) { $0.text = "the quick brown fox" }
                try context.sqlite { db in
                    try db.execute(
                        sql: """
                            CREATE VIRTUAL TABLE words USING fts5 (text, content='note', content_rowid='id');
                            INSERT INTO words (words) VALUES ('rebuild');
                            CREATE TRIGGER note_words AFTER INSERT ON note BEGIN
                                INSERT INTO words (rowid, text) VALUES (new.id, new.text);
                            END;
                            CREATE VIEW brown AS SELECT * FROM note WHERE text LIKE '%brown%';
                            CREATE TEMP TABLE mine (a);
                            INSERT INTO mine VALUES (1);
                            DROP TABLE mine;
                            """)
                }
                // Applied by the store, and noticed by the trigger.
                try Note.create(in: context) { $0.text = "a lazy dog" }
            }
        }
        // The file is a store still.
        try await withStore(
            source, entities: Note.self, Tag.self, configuration: configuration
        ) { dal -> Void in
            let found: [Int64] = try await dal.read { context in
                try context.sqlite {
                    try Int64.fetchAll(
                        $0, sql: "SELECT rowid FROM words WHERE words MATCH 'lazy OR fox'")
                }
            }
            #expect(found == [1, 2])
        }
    }

    @Test func `a write's context inside its raw SQL is refused with a sentence`() async throws {
        try await withNotes(.file) { dal in
            try await dal.write { context in
                let note = try Note.create(in: context)
                try context.sqlite { _ in
                    let error = try #require(throws: DataAccessError.self) {
                        _ = try Note.count(in: context)
                    }
                    #expect(error.code == .nestedAccess)
                    #expect(throws: DataAccessError.self) { try context.sqlite { _ in } }
                    #expect(throws: DataAccessError.self) { try context.nested { _ in } }
                }
                #expect(try Note.count(in: context) == 1)
                _ = note
            }
        }
    }

    @Test func `a reference that raw SQL breaks fails the write`() async throws {
        try await withNotes(.file) { dal in
            let error = try await #require(throws: StoreError.self) {
                try await dal.write { context in
                    try context.sqlite {
                        try $0.execute(
                            sql: #"INSERT INTO "note" ("text", "tag") VALUES ('x', 'nowhere')"#)
                    }
                }
            }
            #expect(error.code == .foreignKeyViolation)
        }
    }

    @Test func `later reads on every connection see what raw SQL has changed`() async throws {
        try await withNotes(.file) { dal in
            for number in 1...20 {
                try await dal.write { context in
                    try context.sqlite {
                        try $0.execute(sql: #"INSERT INTO "note" ("text") VALUES ('x')"#)
                    }
                }
                let counts: [Int] = try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<4 {
                        group.addTask { try await dal.read { try Note.count(in: $0) } }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(counts == [number, number, number, number])
            }
        }
    }
}
