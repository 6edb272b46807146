import PersistenceService
import Skiathos
import SkiathosTesting
import TestSupport
import Testing

/// Deleting the rows that a condition names.
@Suite struct DeletionTests {
    @Test(arguments: Place.allCases)
    func `a deletion by condition counts the rows that its space sees, pending ones included`(
        _ place: Place
    ) async throws {
        try await withService(place) { service, dal in
            for age in 1...4 { _ = try await dal.addAuthor("stored \(age)", age: age) }
            let form = service.child()
            // One row more meets the condition in the space than in the store, and one less.
            try await form.create(Author.named("pending", age: 4), saving: .keep)
            try await form.update(Author.self, where: { $0.age == 3 }) { authors, _ in
                for author in authors { author.age = 0 }
                return .keep
            }
            let count = try await form.delete(Author.self, where: { $0.age >= 3 }, saving: .keep)
            #expect(count == 2)
            #expect(try await form.names() == ["stored 1", "stored 2", "stored 3"])
            #expect(try await dal.names().count == 4)
            // Of the row that was never saved nothing is left.
            #expect(form.pendingChangeCount == 2)
            let none = try await form.delete(Author.self, where: { $0.age >= 3 }, saving: .keep)
            #expect(none == 0)
            #expect(form.history.undoable.last == "delete Author")
            try await form.save(.store)
            #expect(try await dal.names() == ["stored 1", "stored 2", "stored 3"])
        }
    }

    @Test(arguments: SaveDepth.allCases)
    func `a deletion by condition goes as deep as it says`(_ depth: SaveDepth) async throws {
        try await withService { parent, dal in
            _ = try await dal.addAuthor("Ada", age: 1)
            _ = try await dal.addAuthor("Ben", age: 2)
            let service = parent.child()
            let count = try await onThread {
                try service.delete(Author.self, where: { $0.age == 1 }, saving: depth)
            }
            #expect(count == 1)
            #expect(try await service.names() == ["Ben"])
            #expect(try await parent.names() == (depth == .keep ? ["Ada", "Ben"] : ["Ben"]))
            #expect(try await dal.names() == (depth == .store ? ["Ben"] : ["Ada", "Ben"]))
        }
    }

    @Test func `rows that a delete rule deletes are not counted, and a step undoes them all`()
        async throws
    {
        try await withService { service, dal in
            try await service.change { context in
                for title in ["Notes", "Songs"] {
                    let book = try Book.create(in: context) { $0.title = title }
                    for _ in 0..<3 { try Chapter.create(in: context) { $0.book = book.id } }
                }
                return ((), .store)
            }
            let count = try await service.delete(
                Book.self, where: { $0.title == "Notes" }, saving: .keep)
            #expect(count == 1)
            #expect(try await service.count(Chapter.self) == 3)
            #expect(try await service.undo())
            #expect(try await service.count(Chapter.self) == 6)
            let all = try await service.delete(Book.self, where: { _ in .always }, saving: .store)
            #expect(all == 2)
            #expect(try await dal.read { try Chapter.count(in: $0) } == 0)
        }
    }

    @Test func `a deletion by condition that meets a conflict deletes nothing`() async throws {
        try await withService { service, dal in
            let ada = try await dal.addAuthor("Ada")
            _ = try await dal.addAuthor("Ben")
            let form = service.child()
            try await form.change(ada) { $0.age = 1 }
            try await dal.write { try Author.find(ada, in: $0)?.age = 2 }
            await #expect {
                try await form.delete(Author.self, where: { $0.name == "Ben" }, saving: .store)
            } throws: {
                ($0 as? PersistenceServiceError)?.code == .conflict
            }
            #expect(try await form.names() == ["Ada", "Ben"])
            #expect(form.pendingChangeCount == 1)
            let count = try await form.delete(
                Author.self, where: { $0.name == "Ben" }, saving: .store, merging: .mine)
            #expect(count == 1)
            #expect(try await dal.names() == ["Ada"])
            #expect(try await dal.author(ada)?.age == 1)
        }
    }
}
