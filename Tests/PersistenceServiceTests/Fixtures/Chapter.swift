import Skiathos

/// A chapter, which goes with its book.
struct Chapter: Sendable, Equatable {
    var id: EntityID<Chapter> = .unassigned
    var text = ""
    var book: Book.ID?
}

extension Chapter: TableEntity {
    init(id: Chapter.ID) { self.id = id }

    static let table = EntityTable("chapter", id: \Chapter.id) {
        EntityColumn("text", \.text)
        EntityColumn("book", \.book, .references(onDelete: .cascade))
    }
}
