import Foundation
import GRDB
import SkiathosStore
import Testing

@testable import SkiathosSQLite

private enum Author {}
private enum Note {}

/// Notes whose words are kept, and that are deleted with their author.
private enum Searched {
    static let author = EntitySchema(
        Author.self, table: "author", id: Coding.of(Int64.self),
        columns: [ColumnSchema("name", Coding.of(String.self))], searchable: ["name"])

    static let note = EntitySchema(
        Note.self, table: "no\"te", id: Coding.of(Int64.self),
        columns: [
            ColumnSchema("title", Coding.of(String.self)),
            ColumnSchema("the \"text\"", Coding.of(String?.self)),
            ColumnSchema("pages", Coding.of(Int.self)),
            ColumnSchema("author", Coding.of(Reference<Author>?.self), onDelete: .cascade),
        ], searchable: ["title", "the \"text\""])

    static let all = [author, note]
}

@Suite struct SearchIndexTests {
    /// Opens a store with notes, and closes it after its integrity has been looked at.
    private func withNotes(_ body: (any PersistentStore, TemporaryDirectory) throws -> Void) throws
    {
        let directory = try TemporaryDirectory()
        let store = try directory.open(Searched.all)
        try store.insert(Author.self, [1, "Hypatia"], [2, "Éric Süß"])
        try store.insert(
            Note.self, [1, "Conic sections", "an ellipse", 3, 1], [2, "Astrolabe", nil, 4, 1],
            [3, "Über Kegel", "die Ellipse", 5, 2])
        try body(store, directory)
        #expect(try store.anyReader.read { try $0.integrityProblems() } == [])
        try store.close()
        try check(directory)
    }

    /// Has FTS5 compare the words with the rows.
    private func check(_ directory: TemporaryDirectory) throws {
        try DatabaseQueue(path: directory.file()).write { database in
            for table in ["author", "no\"te"] {
                let name = SQLText.quote(SearchIndex.name(of: table))
                try database.execute(
                    sql: "INSERT INTO \(name)(\(name), rank) VALUES ('integrity-check', 1)")
            }
        }
    }

    private func found(_ words: String, _ directory: TemporaryDirectory) throws -> [Int] {
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: directory.file(), configuration: configuration).read {
            try Int.fetchAll(
                $0,
                sql: """
                    SELECT rowid FROM "skiathos_search_no""te"
                    WHERE "skiathos_search_no""te" MATCH ? ORDER BY rowid
                    """, arguments: [words])
        }
    }

    @Test func `the words of searchable columns are created as documented`() throws {
        let sql = TableLayout.creation(of: TableLayout.expected(by: try StoreSchema(Searched.all)))
            .filter { $0.contains("skiathos_search_author") }
        #expect(
            sql == [
                #"CREATE VIRTUAL TABLE "skiathos_search_author" USING fts5("name", content="author", content_rowid="id", tokenize="unicode61 remove_diacritics 2")"#,
                #"CREATE TRIGGER "skiathos_search_author_insert" AFTER INSERT ON "author" BEGIN INSERT INTO "skiathos_search_author"("rowid", "name") VALUES (new."id", new."name"); END"#,
                #"CREATE TRIGGER "skiathos_search_author_update" AFTER UPDATE OF "id", "name" ON "author" BEGIN INSERT INTO "skiathos_search_author"("skiathos_search_author", "rowid", "name") VALUES ('delete', old."id", old."name"); INSERT INTO "skiathos_search_author"("rowid", "name") VALUES (new."id", new."name"); END"#,
                #"CREATE TRIGGER "skiathos_search_author_delete" AFTER DELETE ON "author" BEGIN INSERT INTO "skiathos_search_author"("skiathos_search_author", "rowid", "name") VALUES ('delete', old."id", old."name"); END"#,
            ])
    }

    @Test func `words are found without regard to case and accents`() throws {
        try withNotes { (_, directory) throws in
            #expect(try found("ELLIPSE", directory) == [1, 3])
            #expect(try found("uber", directory) == [3])
            #expect(try found("title: ellipse", directory) == [])
        }
    }

    @Test func `an opened store finds the search index that was created`() throws {
        let directory = try TemporaryDirectory()
        try directory.open(Searched.all).close()
        let writing = try directory.open(Searched.all)
        try writing.insert(Note.self, [9, "Later", nil, 0, nil])
        try writing.close()
        let reading = try directory.open(Searched.all, StoreOptions(isReadOnly: true))
        let problems = try reading.anyReader.read { try $0.integrityProblems() }
        #expect(problems == [])
        try reading.close()
        #expect(try found("later", directory) == [9])
        try check(directory)
    }

    @Test func `words keep in step with updates, whole sets and delete rules`() throws {
        try withNotes { store, directory in
            let note = store.position(Note.self)
            try store.transaction { session in
                try session.apply([
                    .update(
                        entity: note, columns: [1, 2],
                        Rows([["Parabola", "no curve", 2]], idIsLast: true))
                ])
                _ = try session.update(
                    FetchRequest(
                        entity: note,
                        predicate: .comparison(.column(3), .greater, .value(4))),
                    [StoreAssignment(column: 1, .set(.value("Changed")))])
            }
            #expect(try found("astrolabe OR kegel", directory) == [])
            #expect(try found("parabola OR changed", directory) == [2, 3])
            try store.transaction { session in
                _ = try session.delete(
                    FetchRequest(
                        entity: store.position(Author.self),
                        predicate: .comparison(.column(0), .equal, .value(1))))
            }
            #expect(try found("sections OR parabola OR changed", directory) == [3])
        }
    }

    @Test func `a discarded write leaves no words, and an emptied store none`() throws {
        try withNotes { store, directory in
            try store.writer.withSession { session in
                try session.begin()
                try session.apply([
                    .insert(
                        entity: store.position(Note.self), Rows([[7, "Discarded", nil, 1, nil]]))
                ])
                try session.rollback()
            }
            #expect(try found("discarded", directory) == [])
            try store.transaction { try $0.deleteEverything() }
            #expect(try found("ellipse OR astrolabe", directory) == [])
        }
    }

    @Test(arguments: [
        #"INSERT OR REPLACE INTO "no""te" VALUES (1, 'Parabola', NULL, 1, 2)"#,
        #"REPLACE INTO "no""te" SELECT id, 'Parabola', title, pages, author FROM "no""te""#,
        #"INSERT OR IGNORE INTO "no""te" VALUES (1, 'Parabola', NULL, 1, 2)"#,
        #"INSERT INTO "no""te" VALUES (1, 'a', 'b', 1, 2) ON CONFLICT DO UPDATE SET title = 'Parabola'"#,
        #"UPDATE OR REPLACE "no""te" SET id = 2 WHERE id = 1"#,
        #"UPDATE OR REPLACE "no""te" SET id = id + 1, title = 'Parabola'"#,
        #"UPDATE "no""te" SET id = id + 10"#,
        "INSERT OR REPLACE INTO author VALUES (1, 'Ada')",
        "DELETE FROM author WHERE id = 1",
        #"CREATE TEMP TABLE old AS SELECT * FROM "no""te"; DELETE FROM "no""te"; INSERT INTO "no""te" SELECT * FROM old"#,
    ])
    func `raw SQL keeps the words of the rows that it leaves`(sql: String) throws {
        try withNotes { store, _ in try store.transaction { try $0.execute(sql) } }
    }

    @Test(arguments: [
        #"DROP TRIGGER "skiathos_search_no""te_insert"; INSERT INTO "no""te" VALUES (5, 'Lost', '', 1, NULL)"#,
        #"DROP TRIGGER "skiathos_search_no""te_update"; UPDATE "no""te" SET title = 'Other'"#,
        #"DROP TRIGGER "skiathos_search_no""te_delete"; DELETE FROM "no""te" WHERE id = 2"#,
        #"DELETE FROM "skiathos_search_no""te_data" WHERE id > 10"#,
    ])
    func `a search index that does not match the rows is a problem of integrity`(
        damage: String
    ) throws {
        for kind in [false, true] {
            let directory = try TemporaryDirectory()
            let store = try directory.open(Searched.all, StoreOptions(isReadOnly: false))
            try store.insert(
                Note.self, [1, "Conic sections", "an ellipse", 3, nil],
                [2, "Astrolabe", "", 4, nil]
            )
            try DatabaseQueue(path: directory.file()).write { try $0.execute(sql: damage) }
            let reader = kind ? store.writer : store.anyReader
            for _ in 1...2 {
                let problems = try reader.read { try $0.integrityProblems() }
                #expect(problems.count == 1 && problems[0].contains(#""no"te""#), "\(problems)")
            }
            try store.close()
        }
    }

    @Test func `a column that cannot be searched is refused with the reason`() throws {
        let text = ColumnSchema("text", Coding.of(String.self))
        let cases: [(EntitySchema, String)] = [
            (
                EntitySchema(
                    Note.self, table: "note", id: Coding.of(Int64.self),
                    columns: [ColumnSchema("age", Coding.of(Int.self))], searchable: ["age"]),
                "not as text"
            ),
            (
                EntitySchema(
                    Note.self, table: "note", id: Coding.of(Int64.self), columns: [text],
                    searchable: ["text", "text"]), "more than once"
            ),
            (
                EntitySchema(
                    Note.self, table: "note", id: Coding.of(Int64.self),
                    columns: [ColumnSchema("Rank", Coding.of(String.self))], searchable: ["Rank"]),
                "another name"
            ),
        ]
        for (entity, reason) in cases {
            let error = try storeError(.invalidSchema) {
                try StoreSource.inMemory.open(try StoreSchema([entity]), StoreOptions()).close()
            }
            #expect(error.message.contains(reason))
        }
        let first = EntitySchema(
            Note.self, table: "note", id: Coding.of(Int64.self), columns: [text],
            searchable: ["text"])
        let second = EntitySchema(
            Author.self, table: "Note_data", id: Coding.of(Int64.self), columns: [text],
            searchable: ["text"])
        let error = try storeError(.invalidSchema) {
            try StoreSource.inMemory.open(StoreSchema([first, second]), StoreOptions()).close()
        }
        #expect(error.message.contains("another table"))
    }

    @Test func `many rows at once keep their words`() throws {
        try withNotes { store, directory in
            let notes = store.position(Note.self)
            let ids = Array(101...400 as ClosedRange<Int64>)
            try store.transaction { session in
                try session.apply([
                    .insert(
                        entity: notes,
                        LendableRows(
                            ids.map { [.integer($0), "Almagest", .text("book \($0)"), 1, 1] }))
                ])
                try session.apply([
                    .update(
                        entity: notes, columns: [1],
                        LendableRows(
                            ids.filter { $0 % 2 == 0 }.map { ["Syntaxis", .integer($0)] },
                            idIsLast: true))
                ])
                try session.apply([
                    .delete(
                        entity: notes,
                        LendableRows(ids.filter { $0 % 3 == 0 }.map { [.integer($0)] }))
                ])
            }
            let rest = ids.filter { $0 % 3 != 0 }.map(Int.init)
            #expect(try found("almagest", directory) == rest.filter { $0 % 2 != 0 })
            #expect(try found("syntaxis", directory) == rest.filter { $0 % 2 == 0 })
            #expect(try found("395", directory) == [395])
        }
    }
}
