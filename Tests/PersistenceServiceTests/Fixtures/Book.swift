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

extension Book: TableEntity {
    init(id: Book.ID) { self.id = id }

    static let table = EntityTable("book", id: \Book.id) {
        EntityColumn("title", \.title)
        EntityColumn("pages", \.pages)
        EntityColumn("revision", \.revision)
        EntityColumn("author", \.author)
    }
}
