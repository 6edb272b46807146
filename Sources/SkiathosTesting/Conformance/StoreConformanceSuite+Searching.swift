import SkiathosPlatformFoundation
import SkiathosStore

/// Entities with words, one for each kind of ID.
private enum Songs {
    private enum Numbered {}
    private enum Named {}
    private enum Keyed {}

    static let all: [(EntitySchema, ids: [StoreValue])] = [
        (song(Numbered.self, "numbered", Coding.of(Int64.self)), [.integer(1), .integer(2)]),
        (song(Named.self, "named", Coding.of(String.self)), [.text("a"), .text("b")]),
        (
            song(Keyed.self, "keyed", Coding.of(UUID.self)),
            [1, 2].map { .blob(Array(repeating: $0, count: 16)) }
        ),
    ]

    private static func song<C: ColumnCoding>(
        _ type: Any.Type, _ table: String, _ id: C.Type
    ) -> EntitySchema {
        EntitySchema(
            type, table: table, id: id,
            columns: [
                ColumnSchema("title", Coding.of(String.self)),
                ColumnSchema("text", Coding.of(String?.self)),
            ], searchable: ["title", "text"])
    }
}

extension StoreConformanceSuite {
    var searchChecks: [ConformanceCheck] {
        [
            ConformanceCheck(
                rule: "words are found whatever the IDs are, and follow every change"
            ) {
                let schema = try StoreSchema(Songs.all.map(\.0))
                let store = try makeSource().open(schema, StoreOptions(readerCount: 1))
                let result = Result {
                    for (song, ids) in Songs.all {
                        guard
                            let entity = schema.entities.firstIndex(where: {
                                $0.table == song.table
                            })
                        else { throw Unexpected(description: "the schema lost \(song.table)") }
                        try Self.checkSearch(store, entity, ids)
                    }
                }
                try store.close()
                try result.get()
            }
        ]
    }

    private static func checkSearch(
        _ store: any PersistentStore, _ entity: Int, _ ids: [StoreValue]
    ) throws {
        func write(_ body: (any StoreWriteSession) throws -> Void) throws {
            try store.writer.withSession { session in
                try session.begin()
                try body(session)
                try session.commit()
            }
        }
        func count(_ words: String, _ matching: SearchTerms.Matching = .allWords) throws -> Int {
            let terms = SearchTerms(words, matching: matching)
            return try (store.readers.first ?? store.writer).read {
                try $0.count(FetchRequest(entity: entity, predicate: .search(terms)))
            }
        }
        try write { session in
            try session.apply([
                .insert(
                    entity: entity,
                    ValueRows(
                        [ids[0], .text("Crème brûlée"), .null],
                        [ids[1], .text("Love"), .text("me, do")]))
            ])
        }
        try requireEqual(try count("creme BRULEE"), 1)
        try requireEqual(try count("lov d", .prefixes), 1)
        try requireEqual(try marked("do", entity, store), ["Love", "me, <do>"])
        try write { session in
            let row = FetchRequest(
                entity: entity, predicate: .comparison(.column(0), .equal, .value(ids[1])))
            let set = StoreAssignment(column: 1, .set(.value(.text("Rita"))))
            try requireEqual(try session.update(row, [set]), 1)
        }
        try requireEqual(try [count("love"), count("rita")], [0, 1])
        try write { session in
            let found = FetchRequest(entity: entity, predicate: .search(SearchTerms("creme")))
            try requireEqual(try session.delete(found), 1)
        }
        try requireEqual(try count("creme rita", .anyWord), 1)
        let problems = try store.writer.read { try $0.integrityProblems() }
        try requireEqual(problems, [])
    }

    /// The marked texts of the first row that a search finds.
    private static func marked(
        _ words: String, _ entity: Int, _ store: any PersistentStore
    ) throws -> [String?] {
        let request = SearchRequest(
            SearchTerms(words), in: FetchRequest(entity: entity), openingMark: "<",
            closingMark: ">")
        var texts: [String?] = []
        try (store.readers.first ?? store.writer).read { session in
            try session.search(request) { cursor in
                if cursor.next() { texts = [cursor.row.text(at: 4), cursor.row.text(at: 5)] }
            }
        }
        return texts
    }
}
