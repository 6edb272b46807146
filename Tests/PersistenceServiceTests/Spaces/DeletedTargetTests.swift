import PersistenceService
import Skiathos
import SkiathosStore
import SkiathosTesting
import Testing

/// Rows of a space that come to refer to a row which its parent has deleted, or the other way round.
@Suite struct DeletedTargetTests {
    /// How a row comes to refer to the deleted one.
    enum Reference: CaseIterable {
        case created
        case moved
    }

    /// The entity that refers, by the rule of its reference.
    enum Rule: CaseIterable {
        case nullify
        case cascade
    }

    /// The side that deletes, and when.
    enum Deletion: CaseIterable {
        case parentFirst
        case parentLast
    }

    /// The author or book that is deleted, and a row that refers to another one.
    private struct Rows {
        var author: Author.ID
        var book: Book.ID
        var otherBook: Book.ID
        var chapter: Chapter.ID
        var otherChapter: Chapter.ID
    }

    @Test(arguments: Rule.allCases, Reference.allCases)
    func `a reference to a row that the parent has deleted is violated when both are saved`(
        _ rule: Rule, _ reference: Reference
    ) async throws {
        for deletion in Deletion.allCases {
            try await withService(.memory) { service, dal in
                let rows = try await Self.rows(dal)
                let before = try await Self.contents(dal)
                let space = service.child()
                if deletion == .parentFirst { try await Self.delete(rule, rows, in: service) }
                try await Self.refer(rule, reference, rows, in: space)
                if deletion == .parentLast { try await Self.delete(rule, rows, in: service) }
                try await space.save(.parent)
                let error = await #expect(throws: StoreError.self) {
                    try await service.save(.store)
                }
                #expect(error?.code == .foreignKeyViolation, "\(deletion)")
                #expect(try await Self.contents(dal) == before)
                #expect(service.hasPendingChanges)
            }
        }
    }

    @Test(arguments: Rule.allCases)
    func `a row that has moved away from a deleted one is kept`(_ rule: Rule) async throws {
        try await withService(.memory) { service, dal in
            let rows = try await Self.rows(dal)
            let space = service.child()
            try await space.change { context in
                switch rule {
                case .nullify: try Book.find(rows.book, in: context)?.author = nil
                case .cascade: try Chapter.find(rows.chapter, in: context)?.book = rows.otherBook
                }
                return ((), .parent)
            }
            try await Self.delete(rule, rows, in: service)
            try await service.save(.store)
            let (book, chapter) = try await dal.read { context in
                (try Book.find(rows.book, in: context), try Chapter.find(rows.chapter, in: context))
            }
            #expect(chapter?.book == (rule == .cascade ? rows.otherBook : rows.book))
            #expect((book == nil) == (rule == .cascade))
        }
    }

    private static func rows(_ dal: DataAccessLayer) async throws -> Rows {
        try await dal.write { context in
            let author = try Author.create(in: context) { $0.name = "Ada" }.id
            let book = try Book.create(in: context) { $0.author = author }.id
            let other = try Book.create(in: context).id
            let chapter = try Chapter.create(in: context) { $0.book = book }.id
            let otherChapter = try Chapter.create(in: context) { $0.book = other }.id
            return Rows(
                author: author, book: book, otherBook: other, chapter: chapter,
                otherChapter: otherChapter)
        }
    }

    private static func delete(
        _ rule: Rule, _ rows: Rows, in service: StorePersistenceService
    ) async throws {
        switch rule {
        case .nullify: try await service.delete(Author.self, ids: [rows.author], saving: .keep)
        case .cascade: try await service.delete(Book.self, ids: [rows.book], saving: .keep)
        }
    }

    private static func refer(
        _ rule: Rule, _ reference: Reference, _ rows: Rows, in space: StorePersistenceService
    ) async throws {
        try await space.change { context in
            switch (rule, reference) {
            case (.nullify, .created): try Book.create(in: context) { $0.author = rows.author }
            case (.nullify, .moved):
                try Book.find(rows.otherBook, in: context)?.author = rows.author
            case (.cascade, .created): try Chapter.create(in: context) { $0.book = rows.book }
            case (.cascade, .moved):
                try Chapter.find(rows.otherChapter, in: context)?.book = rows.book
            }
            return ((), .keep)
        }
    }

    private static func contents(_ dal: DataAccessLayer) async throws -> [String] {
        try await dal.read { context in
            try Author.all(in: context).map { "\($0)" } + Book.all(in: context).map { "\($0)" }
                + Chapter.all(in: context).map { "\($0)" }
        }
    }
}
