import Skiathos

/// A book that loses its author when that goes, counts its updates in a hook, and has requirements.
struct Book: Sendable, Equatable {
    var id: EntityID<Book> = .unassigned
    var title = ""
    var pages = 0
    var revision = 0
    var author: Author.ID?

    func validate(_ validation: inout Validation<Book>) {
        validation.require(\.pages, pages >= 0, "must not be negative")
    }
}

extension Book: WriteHooks {
    static func willUpdate(_ book: Managed<Book>, in context: WriteContext) throws {
        if book.changedColumns.contains("title"), !book.changedColumns.contains("revision") {
            book.revision += 1
        }
    }
}

extension Book: Entity {
    struct Columns: Sendable {
        let id = Column<Book, Book.ID>(0, Coding.of(Book.ID.self))
        let title = Column<Book, String>(1, Coding.of(String.self))
        let pages = Column<Book, Int>(2, Coding.of(Int.self))
        let revision = Column<Book, Int>(3, Coding.of(Int.self))
        let author = Column<Book, Author.ID?>(4, Coding.of(Author.ID?.self))
    }
    static let columns = Columns()
    static let schema = EntitySchema(
        Book.self, table: "book", id: Coding.of(Book.ID.self),
        columns: [
            ColumnSchema("title", Coding.of(String.self)),
            ColumnSchema("pages", Coding.of(Int.self)),
            ColumnSchema("revision", Coding.of(Int.self)),
            ColumnSchema("author", Coding.of(Author.ID?.self)),
        ])

    static func column(at keyPath: PartialKeyPath<Book>) -> Int? {
        switch keyPath {
        case \Book.id: 0
        case \Book.title: 1
        case \Book.pages: 2
        case \Book.revision: 3
        case \Book.author: 4
        default: nil
        }
    }

    init(id: Book.ID) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(Book.ID.self), at: 0)
        title = try row.value(Coding.of(String.self), at: 1)
        pages = try row.value(Coding.of(Int.self), at: 2)
        revision = try row.value(Coding.of(Int.self), at: 3)
        author = try row.value(Coding.of(Author.ID?.self), at: 4)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(Book.ID.self), at: position)
        case 1: try parameters.bind(title, Coding.of(String.self), at: position)
        case 2: try parameters.bind(pages, Coding.of(Int.self), at: position)
        case 3: try parameters.bind(revision, Coding.of(Int.self), at: position)
        default: try parameters.bind(author, Coding.of(Author.ID?.self), at: position)
        }
    }

    func changedColumns(from other: Book) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(String.self).areIdentical(title, other.title))
        changed.insert(2, if: !Coding.of(Int.self).areIdentical(pages, other.pages))
        changed.insert(3, if: !Coding.of(Int.self).areIdentical(revision, other.revision))
        changed.insert(4, if: !Coding.of(Author.ID?.self).areIdentical(author, other.author))
        return changed
    }
}
