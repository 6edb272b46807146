// An entity that a table of key paths describes may be public, local or a reference to itself.

import Foundation
import Skiathos

enum Status: String { case draft, published }

struct Book {
    var id: EntityID<Book> = .unassigned
    var title = ""
    var pages = 0
    var status = Status.draft
    var former: Status?
    var published: Date?
    var tags: Set<String> = []
    var author: Author.ID?
    var sequel: Book.ID?
    var readers = 0

    var label: String { "\(title), \(pages) pages" }
}

extension Book: TableEntity {
    init(id: Book.ID) { self.id = id }

    static let table = EntityTable("book", id: \Book.id, renamedFrom: "volume", "tome") {
        EntityColumn("title", \.title, .unique(with: \.pages, \.author), .searchable)
        EntityColumn("pages", \.pages, .indexed, .renamed(from: "leaves"))
        EntityColumn("status", \.status)
        EntityColumn("former", \.former, .unique)
        EntityColumn("published", \.published)
        EntityColumn("tags", \.tags)
        EntityColumn("author", \.author, .references(onDelete: .cascade))
        EntityColumn("sequel", \.sequel, .references(onDelete: .nullify))
        EntityColumn("readers", \.readers)
    }
}

/// A public entity, with the one initialiser that the compiler adds.
public struct Page: Sendable {
    /// The ID.
    public var id: EntityID<Page> = .unassigned
    /// What stands on it.
    public var text = ""
}

extension Page: TableEntity {
    /// Makes one with the defaults.
    public init(id: Page.ID) { self.id = id }

    /// The table.
    public static let table = EntityTable("page", id: \Page.id) {
        EntityColumn("text", \.text)
    }
}

struct Author {
    var id: EntityID<Author> = .unassigned
    var name = ""

    var books: ToMany<Book> { ToMany(\.author, of: id) }
}

extension Author: TableEntity {
    typealias RawID = UUID

    init(id: Author.ID) { self.id = id }

    static let table = EntityTable("author", id: \Author.id) {
        EntityColumn("name", \.name)
    }
}

func queries(_ context: ReadContext) throws {
    let book = Book(title: "Emma", pages: 474)
    _ = try Page.find(1, in: context) ?? Page(text: book.title)
    _ = try Book.all(where: { $0.pages > book.pages && $0.status == .draft }, in: context)
    _ = try Book.all(where: { $0.author.name == "Austen" || $0.sequel.pages > 9 }, in: context)
    _ = try Book.where { $0.published != nil }.order { $0.title }.first(in: context)?.label
    _ = try Author.where { $0.books.exists { $0.readers > 3 } }.count(in: context)
    _ = Book.descendants(of: 7, along: \.sequel)
}

func changes(_ context: WriteContext) throws {
    let book = try Book.create(in: context) { $0.title = "Emma" }
    book.pages += 1
    try Book.update(set: { $0.pages.set(to: $0.pages + 1) }, in: context)
    try Book.upsert(book.value, by: \.former, in: context)
}

func local() async throws -> Int {
    struct Note: TableEntity {
        static let table = EntityTable("note", id: \Note.id) {
            EntityColumn("text", \.text)
        }

        var id: EntityID<Note> = .unassigned
        var text = ""

        init(id: Note.ID) { self.id = id }
    }

    let dal = try await DataAccessLayer.open(.inMemory, entities: Note.self)
    try await dal.write { try Note.create(in: $0) { $0.text = "Remember" } }
    return try await dal.read { try Note.count(where: { $0.text.hasPrefix("R") }, in: $0) }
}
