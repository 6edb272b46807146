import Skiathos

/// A chapter, which goes with its book.
struct Chapter: Sendable, Equatable {
    var id: EntityID<Chapter> = .unassigned
    var text = ""
    var book: Book.ID?
}

extension Chapter: Entity {
    struct Columns: Sendable {
        let id = Column<Chapter, Chapter.ID>(0, Coding.of(Chapter.ID.self))
        let text = Column<Chapter, String>(1, Coding.of(String.self))
        let book = Column<Chapter, Book.ID?>(2, Coding.of(Book.ID?.self))
    }
    static let columns = Columns()
    static let schema = EntitySchema(
        Chapter.self, table: "chapter", id: Coding.of(Chapter.ID.self),
        columns: [
            ColumnSchema("text", Coding.of(String.self)),
            ColumnSchema("book", Coding.of(Book.ID?.self), onDelete: .cascade),
        ])

    static func column(at keyPath: PartialKeyPath<Chapter>) -> Int? {
        switch keyPath {
        case \Chapter.id: 0
        case \Chapter.text: 1
        case \Chapter.book: 2
        default: nil
        }
    }

    init(id: Chapter.ID) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(Chapter.ID.self), at: 0)
        text = try row.value(Coding.of(String.self), at: 1)
        book = try row.value(Coding.of(Book.ID?.self), at: 2)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(Chapter.ID.self), at: position)
        case 1: try parameters.bind(text, Coding.of(String.self), at: position)
        default: try parameters.bind(book, Coding.of(Book.ID?.self), at: position)
        }
    }

    func changedColumns(from other: Chapter) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(String.self).areIdentical(text, other.text))
        changed.insert(2, if: !Coding.of(Book.ID?.self).areIdentical(book, other.book))
        return changed
    }
}
