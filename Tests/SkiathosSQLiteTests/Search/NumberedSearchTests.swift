import Foundation
import GRDB
import SkiathosStore
import Testing

@testable import SkiathosSQLite

private enum Chapter {}
private enum Page {}

/// Words of rows whose IDs are texts and UUIDs.
private enum Numbered {
    static func chapter(
        table: String = "chap\"ter", searchable: [String] = ["title"], isOptional: Bool = false,
        renamedFrom: [String] = []
    ) -> EntitySchema {
        EntitySchema(
            Chapter.self, table: table, id: Coding.of(String.self),
            columns: [
                isOptional
                    ? ColumnSchema("title", Coding.of(String?.self))
                    : ColumnSchema("title", Coding.of(String.self)),
                ColumnSchema("pages", Coding.of(Int.self)),
            ], searchable: searchable, renamedFrom: renamedFrom)
    }

    static let page = EntitySchema(
        Page.self, table: "page", id: Coding.of(UUID.self),
        columns: [
            ColumnSchema("number", Coding.of(String.self)),
            ColumnSchema("text", Coding.of(String?.self)),
            ColumnSchema("chapter", Coding.of(TextReference<Chapter>?.self), onDelete: .cascade),
        ], searchable: ["text", "number"])

    static let all = [chapter(), page]
}

private struct TextReference<Target>: ColumnValue, Equatable {
    var id: String
    static var storage: StorageClass { .text }
    static var referencedType: Any.Type? { Target.self }
    init(row: RowReader, column: Int) throws { id = try String(row: row, column: column) }
    func bind(to parameters: ParameterWriter, at position: Int) throws {
        try parameters.bind(id, at: position)
    }
}

@Suite struct NumberedSearchTests {
    private func uuid(_ number: UInt8) -> StoreValue {
        .blob([UInt8](repeating: 0, count: 15) + [number])
    }

    /// Opens a store with chapters and pages, and closes it after its words have been looked at.
    private func withPages(_ body: (any PersistentStore, TemporaryDirectory) throws -> Void) throws
    {
        let directory = try TemporaryDirectory()
        let store = try directory.open(Numbered.all)
        try store.insert(
            Chapter.self, ["a", "Conic sections", 3], ["b", "Kegel", 4], ["c", "Spheres", 5])
        try store.insert(
            Page.self, [uuid(1), "I", "an ellipse", "a"], [uuid(2), "II", nil, "b"],
            [uuid(3), "III", "die Ellipse", "b"])
        try body(store, directory)
        #expect(try store.anyReader.read { try $0.integrityProblems() } == [])
        try store.close()
        try check(directory)
    }

    /// Has FTS5 compare the words with the rows.
    private func check(_ directory: TemporaryDirectory) throws {
        try DatabaseQueue(path: directory.file()).write { database in
            for table in ["chap\"ter", "page"] {
                let name = SQLText.quote(SearchIndex.name(of: table))
                try database.execute(
                    sql: "INSERT INTO \(name)(\(name), rank) VALUES ('integrity-check', 1)")
            }
        }
    }

    private func titles(_ words: String, _ store: any PersistentStore) throws -> [String] {
        let request = FetchRequest(
            entity: store.position(Chapter.self), predicate: .search(SearchTerms(words)),
            order: [.init(.column(0), descending: false)])
        return try store.rows(request).compactMap {
            if case .text(let title) = $0[1] { title } else { nil }
        }
    }

    private func pages(_ words: String, _ store: any PersistentStore) throws -> [StoreValue] {
        let request = FetchRequest(
            entity: store.position(Page.self),
            predicate: .search(SearchTerms(words, matching: .anyWord)),
            order: [.init(.column(0), descending: false)])
        return try store.rows(request).map { $0[0] }
    }

    @Test func `rows get numbers, which a view shows to the full-text search`() throws {
        let sql = TableLayout.creation(of: TableLayout.expected(by: try StoreSchema(Numbered.all)))
            .filter { $0.contains("skiathos_search_page") }
        #expect(
            sql.prefix(3) == [
                #"CREATE TABLE "skiathos_search_page_numbers" ("number" INTEGER PRIMARY KEY NOT NULL, "id" BLOB NOT NULL UNIQUE) STRICT"#,
                #"CREATE VIEW "skiathos_search_page_rows" AS SELECT "skiathos_search_page_numbers"."number" AS "skiathos_number", "page"."text", "page"."number" FROM "skiathos_search_page_numbers" JOIN "page" ON "page"."id" = "skiathos_search_page_numbers"."id""#,
                #"CREATE VIRTUAL TABLE "skiathos_search_page" USING fts5("text", "number", content="skiathos_search_page_rows", content_rowid="skiathos_number", tokenize="unicode61 remove_diacritics 2")"#,
            ])
        #expect(sql.count == 6)
    }

    @Test func `words are found, with rank and marks`() throws {
        try withPages { store, _ in
            #expect(try titles("CONIC", store) == ["Conic sections"])
            #expect(try pages("ellipse", store) == [uuid(1), uuid(3)])
            #expect(try pages("II", store) == [uuid(2)])
            let request = SearchRequest(
                SearchTerms("ellipse"), in: FetchRequest(entity: store.position(Page.self)),
                openingMark: "<", closingMark: ">")
            var texts: [String?] = []
            try store.anyReader.read { session in
                try session.search(request) { cursor in
                    while cursor.next() { texts.append(cursor.row.text(at: 5)) }
                }
            }
            #expect(Set(texts) == ["an <ellipse>", "die <Ellipse>"])
        }
    }

    @Test func `words keep in step with updates, whole sets, delete rules and raw SQL`() throws {
        try withPages { store, _ in
            let (chapter, page) = (store.position(Chapter.self), store.position(Page.self))
            try store.transaction { session in
                try session.apply([
                    .update(
                        entity: page, columns: [2],
                        Rows([["a parabola", uuid(1)]], idIsLast: true))
                ])
                _ = try session.update(
                    FetchRequest(
                        entity: chapter, predicate: .comparison(.column(2), .greater, .value(3))),
                    [StoreAssignment(column: 1, .set(.value("Changed")))])
            }
            #expect(try pages("ellipse", store) == [uuid(3)])
            #expect(try pages("parabola", store) == [uuid(1)])
            #expect(try titles("changed", store) == ["Changed", "Changed"])
            try store.transaction { session in
                _ = try session.delete(
                    FetchRequest(
                        entity: chapter, predicate: .comparison(.column(0), .equal, .value("b"))))
            }
            #expect(try pages("ellipse parabola II III", store) == [uuid(1)])
            #expect(try titles("changed", store) == ["Changed"])
            try store.transaction { session in
                _ = try session.writeNatively { database in
                    try (database as? Database)?.execute(
                        sql: #"UPDATE "chap""ter" SET id = 'z', title = 'Moved' WHERE id = 'c'"#)
                }
            }
            #expect(try titles("moved", store) == ["Moved"])
            #expect(try titles("changed", store) == [])
        }
    }

    @Test func `a discarded write leaves no words, and an emptied store none`() throws {
        try withPages { store, directory in
            try store.writer.withSession { session in
                try session.begin()
                try session.apply([
                    .insert(entity: store.position(Chapter.self), Rows([["d", "Discarded", 1]]))
                ])
                try session.rollback()
            }
            #expect(try titles("discarded", store) == [])
            try store.transaction { try $0.deleteEverything() }
            #expect(try pages("ellipse", store) == [])
            let numbers = try DatabaseQueue(path: directory.file()).read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM skiathos_search_page_numbers")
            }
            #expect(numbers == 0)
        }
    }

    @Test func `many rows at once keep their words`() throws {
        try withPages { store, _ in
            let page = store.position(Page.self)
            let ids = (10...210).map { uuid(UInt8($0)) }
            try store.transaction { session in
                try session.apply([
                    .insert(
                        entity: page,
                        LendableRows(ids.map { [$0, "number", "Almagest", .null] }))
                ])
                try session.apply([
                    .update(
                        entity: page, columns: [2],
                        LendableRows(ids.prefix(50).map { ["Syntaxis", $0] }, idIsLast: true))
                ])
                try session.apply([
                    .delete(entity: page, LendableRows(ids.suffix(20).map { [$0] }))
                ])
            }
            #expect(try pages("almagest", store) == Array(ids.dropFirst(50).dropLast(20)))
            #expect(try pages("syntaxis", store) == Array(ids.prefix(50)))
        }
    }

    @Test func `VACUUM leaves every word with its row, in place and in a copy`() throws {
        let copy = try TemporaryDirectory()
        try withPages { store, directory in
            // A gap, which numbers that may change would close.
            try store.transaction { session in
                _ = try session.delete(
                    FetchRequest(
                        entity: store.position(Page.self),
                        predicate: .comparison(.column(0), .equal, .value(uuid(1)))))
            }
            try DatabaseQueue(path: directory.file()).writeWithoutTransaction { database in
                try database.execute(sql: "VACUUM INTO ?", arguments: [copy.file()])
            }
        }
        func check(_ directory: TemporaryDirectory) throws {
            let store = try directory.open(Numbered.all)
            #expect(try pages("ellipse", store) == [uuid(3)])
            try store.insert(Page.self, [uuid(9), "IX", "hyperbola", nil])
            #expect(try pages("hyperbola", store) == [uuid(9)])
            #expect(try store.anyReader.read { try $0.integrityProblems() } == [])
            try store.close()
        }
        try check(copy)
        try DatabaseQueue(path: copy.file()).writeWithoutTransaction { database in
            try database.execute(sql: "DELETE FROM page WHERE number = 'II'")
            try database.execute(sql: "VACUUM")
        }
        let store = try copy.open(Numbered.all)
        #expect(try pages("ellipse hyperbola", store) == [uuid(3), uuid(9)])
        #expect(try store.anyReader.read { try $0.integrityProblems() } == [])
        try store.close()
    }

    @Test(arguments: [
        #"DROP TRIGGER "skiathos_search_page_insert"; INSERT INTO page VALUES (X'01', 'IV', 'lost', NULL)"#,
        #"DELETE FROM skiathos_search_page_numbers WHERE number = 2"#,
        #"INSERT INTO skiathos_search_page_numbers(id) VALUES (X'77')"#,
        #"DROP TRIGGER "skiathos_search_page_update"; UPDATE page SET text = 'other'"#,
        #"DELETE FROM "skiathos_search_page_data" WHERE id > 10"#,
    ])
    func `a search index that does not match the rows is a problem of integrity`(
        damage: String
    ) throws {
        let directory = try TemporaryDirectory()
        let store = try directory.open(Numbered.all)
        try store.insert(
            Page.self, [uuid(1), "I", "an ellipse", nil], [uuid(2), "II", "a circle", nil])
        try DatabaseQueue(path: directory.file()).write { try $0.execute(sql: damage) }
        for reader in [store.writer, store.anyReader] {
            let problems = try reader.read { try $0.integrityProblems() }
            #expect(problems.count == 1 && problems[0].contains(#""page""#), "\(problems)")
        }
        try store.close()
    }
}

@Suite struct NumberedSearchMigrationTests {
    private func filled(_ entity: EntitySchema) throws -> MigrationHarness {
        let harness = try MigrationHarness()
        try harness.open([entity])
        let table = SQLText.quote(entity.table)
        try harness.execute([
            "INSERT INTO \(table) VALUES ('x', 'Almagest', 1), ('y', 'Syntaxis', 2)"
        ])
        return harness
    }

    private func found(
        _ words: String, in entity: EntitySchema, _ harness: MigrationHarness
    ) throws -> [StoreValue] {
        let store = try harness.opener([entity]).open()
        defer { try? store.close() }
        #expect(try store.anyReader.read { try $0.integrityProblems() } == [])
        return try store.rows(
            FetchRequest(entity: 0, predicate: .search(SearchTerms(words)))
        ).map { $0[0] }
    }

    @Test func `a search index is added to existing rows, and dropped`() throws {
        let plain = Numbered.chapter(table: "chapter", searchable: [])
        let harness = try filled(plain)
        let searched = Numbered.chapter(table: "chapter")
        #expect(try found("syntaxis", in: searched, harness) == ["y"])
        try harness.execute(["INSERT INTO chapter VALUES ('z', 'Syntaxis', 3)"])
        #expect(Set(try found("syntaxis", in: searched, harness)) == ["y", "z"])
        let before = try harness.dump()
        try harness.open([searched])
        #expect(try harness.dump() == before)
        try harness.open([plain], [StoreMigration("no search any more")])
        let left = try harness.strings(
            "SELECT name FROM sqlite_schema WHERE name LIKE '%skiathos_search%'")
        #expect(left == [])
    }

    @Test func `a search index stays when its table is rebuilt and renamed`() throws {
        let entity = Numbered.chapter(table: "chapter")
        let harness = try filled(entity)
        let rebuilt = Numbered.chapter(table: "chapter", isOptional: true)
        #expect(try found("syntaxis", in: rebuilt, harness) == ["y"])
        let renamed = Numbered.chapter(
            table: "section", isOptional: true, renamedFrom: ["chapter"])
        #expect(try found("syntaxis", in: renamed, harness) == ["y"])
        let left = try harness.strings(
            "SELECT name FROM sqlite_schema WHERE name LIKE 'skiathos_search_chapter%'")
        #expect(left == [])
    }

    @Test(arguments: [
        "DROP TRIGGER skiathos_search_chapter_update",
        "DROP VIEW skiathos_search_chapter_rows",
        "DROP VIEW skiathos_search_chapter_rows; CREATE VIEW skiathos_search_chapter_rows AS SELECT 1",
        "DROP TABLE skiathos_search_chapter_numbers",
        "DROP TABLE skiathos_search_chapter",
    ])
    func `a search index is rebuilt where a part of it is missing or another one`(
        damage: String
    ) throws {
        let entity = Numbered.chapter(table: "chapter")
        let harness = try filled(entity)
        try harness.execute([damage])
        #expect(try found("syntaxis", in: entity, harness) == ["y"])
    }

    @Test func `the search index of a table that is gone is dropped`() throws {
        let harness = try filled(Numbered.chapter(table: "chapter"))
        try harness.execute(["DROP TABLE chapter"])
        try harness.open([Numbered.page, Numbered.chapter()])
        let left = try harness.strings(
            "SELECT name FROM sqlite_schema WHERE name LIKE 'skiathos_search_chapter%'")
        #expect(left == [])
    }

    @Test func `a view that only looks like one of a search index is refused`() throws {
        let entity = Numbered.chapter(table: "chapter")
        let harness = try filled(entity)
        try harness.execute(["CREATE VIEW skiathos_search_other_rows AS SELECT 1"])
        let error = try storeError(.schemaMismatch) { try harness.open([entity]) }
        #expect(error.message.contains("skiathos_search_other_rows"))
    }

    @Test(arguments: [
        "DROP VIEW skiathos_search_chapter_rows; CREATE VIEW skiathos_search_chapter_rows AS SELECT 1",
        "DROP TABLE skiathos_search_chapter_numbers",
    ])
    func `a reader refuses a changed part of a search index`(damage: String) throws {
        let entity = Numbered.chapter(table: "chapter")
        let harness = try filled(entity)
        try harness.execute([damage])
        #expect(throws: StoreError.self) {
            try harness.touch(harness.opener([entity], StoreOptions(isReadOnly: true)))
        }
    }

    @Test func `another table cannot have a name that a search index needs`() throws {
        let other = EntitySchema(
            Page.self, table: "chapter_numbers", id: Coding.of(Int64.self),
            columns: [ColumnSchema("text", Coding.of(String.self))], searchable: ["text"])
        let error = try storeError(.invalidSchema) {
            try StoreSource.inMemory.open(
                StoreSchema([Numbered.chapter(table: "chapter"), other]), StoreOptions()
            ).close()
        }
        #expect(error.message.contains("another table"))
    }
}
