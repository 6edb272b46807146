import SkiathosPlatformFoundation
import SkiathosStore

/// The entities of the conformance suite, as rows without any object behind them: the contract
/// must hold for a backend alone.
enum Shelf {
    /// `id`, `name` (unique).
    static let author = EntitySchema(
        AuthorTag.self, table: "author", id: Coding.of(Int64.self),
        columns: [ColumnSchema("name", Coding.of(String.self))], unique: [["name"]])

    /// `id`, `title`, `rating`, `weight`, `cover`, `author` (nullified), `series` (cascaded).
    ///
    /// Title and series are unique together.
    static let book = EntitySchema(
        BookTag.self, table: "book", id: Coding.of(Int64.self),
        columns: [
            ColumnSchema("title", Coding.of(String?.self)),
            ColumnSchema("rating", Coding.of(Int64?.self)),
            ColumnSchema("weight", Coding.of(Double?.self)),
            ColumnSchema("cover", Coding.of(Data?.self)),
            reference("author", to: AuthorTag.self, .nullify),
            reference("series", to: SeriesTag.self, .cascade),
        ], unique: [["title", "series"]], indexed: ["rating"])

    /// `id` as text, `owner` (denied).
    static let series = EntitySchema(
        SeriesTag.self, table: "series", id: Coding.of(String.self),
        columns: [reference("owner", to: AuthorTag.self, .deny)])

    /// `id`, `book` (cascaded), `price`, `bought`, `note`.
    static let copy = EntitySchema(
        CopyTag.self, table: "copy", id: Coding.of(Int64.self),
        columns: [
            reference("book", to: BookTag.self, .cascade),
            ColumnSchema("price", Coding.of(Decimal?.self)),
            ColumnSchema("bought", Coding.of(Date?.self)),
            ColumnSchema("note", Coding.of(String?.self)),
        ])

    /// The books of an author.
    static let books = StoreRelation(BookTag.self, reference: 5)
    /// The copies of a book.
    static let copies = StoreRelation(CopyTag.self, reference: 1)
    /// Rows of an entity that no store has.
    static let unknown = StoreRelation(UnknownTag.self, reference: 1)

    private enum AuthorTag {}
    private enum BookTag {}
    private enum SeriesTag {}
    private enum CopyTag {}
    private enum UnknownTag {}

    private static func reference(
        _ name: String, to target: Any.Type, _ rule: ColumnSchema.DeleteRule
    ) -> ColumnSchema {
        var column = ColumnSchema(name, Coding.of(Int64?.self))
        column.storage = target == SeriesTag.self ? .text : .integer
        column.reference = .init(target: target, onDelete: rule)
        return column
    }
}

/// Rows given as values.
struct ValueRows: RowSource {
    let rows: [[StoreValue]]
    let ids: [StoreValue]

    /// Whole rows, the ID first.
    init(_ rows: [StoreValue]...) {
        self.rows = rows
        ids = rows.compactMap(\.first)
    }

    /// Values followed by the ID.
    init(updates: [[StoreValue]]) {
        rows = updates
        ids = updates.compactMap(\.last)
    }

    func sendRows(to sink: inout RowSink) throws { try send(rows, to: &sink) }

    func sendIDs(to sink: inout RowSink) throws { try send(ids.map { [$0] }, to: &sink) }

    private func send(_ rows: [[StoreValue]], to sink: inout RowSink) throws {
        for row in rows {
            for (position, value) in row.enumerated() {
                try value.bind(to: sink.parameters, at: position)
            }
            try sink.send()
        }
    }
}

/// A new store for one check, with shorthands for what checks do.
final class ConformanceStore {
    let store: any PersistentStore
    let author: Int
    let book: Int
    let series: Int
    let copy: Int

    init(
        _ source: StoreSource, readers: Int = 2, isReadOnly: Bool = false,
        statements: StatementRecording? = nil
    ) throws {
        let schema = try StoreSchema([Shelf.book, Shelf.author, Shelf.series, Shelf.copy])
        store = try source.open(
            schema,
            StoreOptions(readerCount: readers, isReadOnly: isReadOnly, statements: statements))
        func position(_ table: String) throws -> Int {
            guard let position = schema.entities.firstIndex(where: { $0.table == table }) else {
                throw Unexpected(description: "the schema has lost the entity \(table)")
            }
            return position
        }
        author = try position("author")
        book = try position("book")
        series = try position("series")
        copy = try position("copy")
    }

    /// Runs a closure in a transaction of its own.
    func write(_ body: (any StoreWriteSession) throws -> Void) throws {
        try store.writer.withSession { session in
            try session.begin()
            do {
                try body(session)
                try session.checkReferences()
                try session.commit()
            } catch {
                try session.rollback()
                throw error
            }
        }
    }

    /// Reads through a reader, or through the writer if there is none.
    func read<R>(_ body: (any StoreSession) throws -> R) throws -> R {
        try (store.readers.first ?? store.writer).read(body)
    }

    func insertAuthors(_ names: String...) throws {
        try write { session in
            for (index, name) in names.enumerated() {
                let row: [StoreValue] = [.integer(Int64(index + 1)), .text(name)]
                try session.apply([.insert(entity: author, ValueRows(row))])
            }
        }
    }

    func bookRow(
        _ id: Int64, title: String? = nil, rating: Int64? = nil, weight: Double? = nil,
        cover: [UInt8]? = nil, author: Int64? = nil, series: String? = nil
    ) -> [StoreValue] {
        [
            .integer(id), title.map { .text($0) } ?? .null, rating.map { .integer($0) } ?? .null,
            weight.map { .real($0) } ?? .null, cover.map { .blob($0) } ?? .null,
            author.map { .integer($0) } ?? .null, series.map { .text($0) } ?? .null,
        ]
    }

    func count(_ entity: Int, _ predicate: StorePredicate? = nil) throws -> Int {
        try read { try $0.count(FetchRequest(entity: entity, predicate: predicate)) }
    }

    func bookIDs(_ request: FetchRequest) throws -> [Int64] {
        var ids: [Int64] = []
        try read { session in
            try session.fetch(ProjectionRequest([.column(0)], of: request)) { cursor in
                while cursor.next() { ids.append(cursor.row.integer(at: 0)) }
            }
        }
        return ids
    }

    func bookIDs(where predicate: StorePredicate) throws -> [Int64] {
        try bookIDs(FetchRequest(entity: book, predicate: predicate)).sorted()
    }
}
