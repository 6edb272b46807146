import GRDB
import GRDBSQLite
import Skiathos
import SkiathosGRDB
import SkiathosTesting
import Testing

@Suite struct ReadTests {
    @Test(arguments: Place.allCases)
    func `raw SQL of a read sees what the read sees`(_ place: Place) async throws {
        try await withNotes(place) { dal in
            try await dal.write { try Note.create(in: $0) { $0.text = "one" } }
            let texts: [String] = try await dal.read { context in
                #expect(try Note.count(in: context) == 1)
                return try context.sqlite {
                    try String.fetchAll($0, sql: #"SELECT "text" FROM "note""#)
                }
            }
            #expect(texts == ["one"])
        }
    }

    @Test(arguments: Place.allCases)
    func `an error of raw SQL has the words of SQLite`(_ place: Place) async throws {
        try await withNotes(place) { dal in
            let mistakes = [
                ("SELECT absent FROM note", "no such column: absent"),
                ("SELECT 1 FROM nowhere", "no such table: nowhere"),
                ("SELEKT 1", "near \"SELEKT\": syntax error"),
                ("SELECT json('{')", "malformed JSON"),
            ]
            for (sql, words) in mistakes {
                let error = try await #require(throws: StoreError.self, "\(sql)") {
                    try await dal.read { context in
                        try context.sqlite { _ = try Row.fetchAll($0, sql: sql) }
                    }
                }
                #expect(error.message.contains(words), "\(error)")
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `raw SQL of a read cannot write, not even to a temporary table`(
        _ place: Place
    ) async throws {
        try await withNotes(place) { dal in
            for sql in [
                #"INSERT INTO "note" ("text") VALUES ('x')"#, #"DELETE FROM "note""#,
                "CREATE TEMP TABLE mine (a)", "CREATE TABLE mine (a)", "PRAGMA user_version = 7",
            ] {
                let error = try await #require(throws: StoreError.self, "\(sql)") {
                    try await dal.read { context in
                        try context.sqlite { try $0.execute(sql: sql) }
                    }
                }
                #expect(error.code == .readOnly, "\(sql): \(error)")
            }
            // The next write can write again.
            try await dal.write { try Note.create(in: $0) }
        }
    }

    @Test func `raw SQL of a read cannot write after taking its protection away`() async throws {
        try await withNotes(.memory) { dal in
            let error = try await #require(throws: StoreError.self) {
                try await dal.read { context in
                    try context.sqlite { db in
                        try db.execute(sql: "PRAGMA query_only = 0")
                        try db.execute(sql: #"INSERT INTO "note" ("text") VALUES ('x')"#)
                    }
                }
            }
            #expect(error.code == .brokenBoundary)
            let count: Int = try await dal.read { try Note.count(in: $0) }
            #expect(count == 0)
        }
    }

    @Test(arguments: Place.allCases, ["COMMIT", "ROLLBACK", "COMMIT; BEGIN", "ROLLBACK; BEGIN"])
    func `raw SQL that ends the read is an error and does no harm`(
        _ place: Place, _ sql: String
    ) async throws {
        try await withNotes(place) { dal in
            try await dal.write(acknowledging: .merged) { try Note.create(in: $0) }
            let error = try await #require(throws: StoreError.self) {
                try await dal.read { context in try context.sqlite { try $0.execute(sql: sql) } }
            }
            #expect(error.code == .brokenBoundary)
            let count: Int = try await dal.read { try Note.count(in: $0) }
            #expect(count == 1)
            try await dal.write { try Note.create(in: $0) }
        }
    }

    @Test(arguments: Place.allCases)
    func `a statement that outlives its closure holds no version`(_ place: Place) async throws {
        try await withNotes(place) { dal in
            try await dal.write { context in
                for _ in 0..<10 { try Note.create(in: context) }
            }
            for expected in 10..<14 {
                let count: Int = try await dal.read { context in
                    var leaked: GRDB.Statement?
                    try context.sqlite { db in
                        let statement = try db.makeStatement(sql: #"SELECT * FROM "note""#)
                        #expect(sqlite3_step(statement.sqliteStatement) == SQLITE_ROW)
                        leaked = statement
                    }
                    return try withExtendedLifetime(leaked) { try Note.count(in: context) }
                }
                #expect(count == expected)
                try await dal.write { try Note.create(in: $0) }
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `errors of SQLite are thrown in the store's terms, and others as they are`(
        _ place: Place
    ) async throws {
        struct Refusal: Error {}
        try await withNotes(place) { dal in
            await #expect(throws: Refusal.self) {
                try await dal.read { context in try context.sqlite { _ in throw Refusal() } }
            }
            let error = try await #require(throws: StoreError.self) {
                try await dal.read { context in
                    try context.sqlite { try $0.execute(sql: "SELECT nonsense") }
                }
            }
            #expect(error.code == .backend)
            #expect(error.message.contains("no such column: nonsense"))
        }
    }

    @Test func `the context of a read can be used inside its raw SQL`() async throws {
        try await withNotes(.file) { dal in
            try await dal.write { try Note.create(in: $0) }
            let counts: [Int] = try await dal.read { context in
                try context.sqlite { db in
                    let inner = try context.sqlite {
                        try Int.fetchOne($0, sql: #"SELECT count(*) FROM "note""#) ?? 0
                    }
                    return [try Note.count(in: context), inner]
                }
            }
            #expect(counts == [1, 1])
        }
    }

    @Test func `raw SQL in a store of another backend is refused with a sentence`() async throws {
        let dal = try await DataAccessLayer.open(
            StoreSource.inMemory.ofAnotherBackend, entities: Note.self, Tag.self)
        let error = try await #require(throws: DataAccessError.self) {
            try await dal.read { context in try context.sqlite { _ in } }
        }
        #expect(error.code == .otherBackend)
        let writeError = try await #require(throws: DataAccessError.self) {
            try await dal.write { context in try context.sqlite { _ in } }
        }
        #expect(writeError.code == .otherBackend)
        try await dal.close()
    }
}
