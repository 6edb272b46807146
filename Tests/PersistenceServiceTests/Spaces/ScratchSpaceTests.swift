import PersistenceService
import SkiathosStore
import SkiathosTesting
import TestSupport
import Testing

@Suite struct ScratchSpaceTests {
    @Test(arguments: Place.allCases)
    func `pending changes are seen by a service and its children, not by its parent`(
        _ place: Place
    ) async throws {
        try await withService(place) { root, dal in
            let ada = try await dal.addAuthor("Ada", age: 1)
            let child = root.child()
            let sibling = root.child()
            let grandchild = child.child()
            try await child.change(ada) { $0.age = 2 }
            #expect(try await dal.author(ada)?.age == 1)
            #expect(try await root.author(ada)?.age == 1)
            #expect(try await sibling.author(ada)?.age == 1)
            #expect(try await child.author(ada)?.age == 2)
            #expect(try await grandchild.author(ada)?.age == 2)
            // Every kind of query sees them.
            #expect(try await child.count(Author.self, where: { $0.age == 2 }) == 1)
            #expect(try await child.read { try Author.max(of: { $0.age }, in: $0) } == 2)
            try await child.save(.parent)
            #expect(try await sibling.author(ada)?.age == 2)
        }
    }

    @Test func `releasing a child discards its pending changes`() async throws {
        try await withService { root, dal in
            var child: StorePersistenceService? = root.child()
            weak let gone = child
            try await child?.create(Author.named("Ada"), saving: .keep)
            child = nil
            #expect(gone == nil)
            #expect(try await root.names() == [])
            try await root.save()
            #expect(try await dal.names() == [])
        }
    }

    @Test func `a child retains its parent`() async throws {
        try await withStore { dal in
            let child = StorePersistenceService(dal).child().child()
            try await child.create(Author.named("Ada"), saving: .store)
            #expect(try await dal.names() == ["Ada"])
        }
    }

    @Test func `children do not see changes that ancestors roll back`() async throws {
        try await withService { root, _ in
            let child = root.child()
            let ada = try await root.create(Author.named("Ada"), saving: .keep)
            try await child.change(ada.id) { $0.age = 2 }
            try await root.rollBack()
            #expect(try await child.author(ada.id) == nil)
            let error = await #expect(throws: PersistenceServiceError.self) {
                try await child.save(.parent)
            }
            #expect(error?.conflicts.map(\.kind) == [.deletedThere])
        }
    }

    @Test func `delete rules act on pending rows of every level`() async throws {
        try await withService { root, dal in
            let author = try await dal.addAuthor("Ada")
            let book = try await root.change { context in
                let book = try Book.create(in: context) { $0.author = author }
                return (book.id, .keep)
            }
            let child = root.child()
            let chapter = try await child.change { context in
                (try Chapter.create(in: context) { $0.book = book }.id, .keep)
            }
            try await child.delete(Author.self, ids: [author], saving: .keep)
            #expect(try await child.fetch(Book.self)[0].author == nil)
            #expect(try await root.fetch(Book.self)[0].author == author)
            try await child.delete(Book.self, ids: [book], saving: .keep)
            #expect(try await child.fetch(Chapter.self, ids: [chapter]).missing == [chapter])
            #expect(try await root.count(Book.self) == 1)
            try await child.save(.parent)
            #expect(try await root.count(Book.self) == 0)
            try await root.save()
            #expect(try await dal.names() == [])
        }
    }

    @Test func `a delete rule also acts on rows that others have added by the time of saving`()
        async throws
    {
        try await withService { service, dal in
            let author = try await dal.addAuthor("Ada")
            try await service.delete(Author.self, ids: [author], saving: .keep)
            let book: Book.ID = try await dal.write {
                try Book.create(in: $0) { $0.author = author }.id
            }
            #expect(try await service.fetch(Book.self, ids: [book]).found.map(\.author) == [nil])
            try await service.save()
            #expect(try await dal.read { try Book.find(book, in: $0)?.author } == nil)
        }
    }

    @Test func `rows that exchange unique values step by step can be replayed and saved`()
        async throws
    {
        try await withService { service, dal in
            let ids = try await service.create(Author.self, from: ["a", "b"], saving: .store) {
                Author.named($0, email: $0)
            }.values.map(\.id)
            try await service.change(ids[0]) { $0.email = "c" }
            try await service.change(ids[1]) { $0.email = "a" }
            try await service.change(ids[0]) { $0.email = "b" }
            #expect(
                try await service.fetch(Author.self, allOf: ids).map(\.email) == ["b", "a"])
            let child = service.child()
            try await child.save(.store)
            #expect(try await dal.author(ids[0])?.email == "b")
            #expect(try await dal.author(ids[1])?.email == "a")
        }
    }

    @Test func `hooks run once for a change, however often it is replayed and merged`()
        async throws
    {
        try await withService { root, dal in
            let book: Book.ID = try await dal.write { try Book.create(in: $0).id }
            let child = root.child()
            try await child.update(Book.self, ids: [book]) { books, _ in
                for book in books { book.title = "Notes" }
                return .keep
            }
            for _ in 0..<3 { #expect(try await child.fetch(Book.self)[0].revision == 1) }
            try await child.save(.parent)
            try await root.save()
            #expect(try await dal.read { try Book.find(book, in: $0)?.revision } == 1)
        }
    }

    @Test func `a row can be deleted and created again with its ID`() async throws {
        try await withService { service, dal in
            try await dal.write { try Tag.create(id: "a", in: $0) { $0.label = "old" } }
            try await service.delete(Tag.self, ids: ["a"], saving: .keep)
            #expect(try await service.count(Tag.self) == 0)
            var tag = Tag(id: "a")
            tag.label = "new"
            try await service.create(tag, saving: .keep)
            #expect(try await service.fetch(Tag.self).map(\.label) == ["new"])
            try await service.save()
            #expect(try await dal.read { try Tag.all(in: $0).map(\.label) } == ["new"])
        }
    }

    @Test func `a row that is created again is seen, whether it was deleted elsewhere or not`()
        async throws
    {
        try await withService { root, dal in
            let child = root.child()
            try await dal.write { try Tag.create(id: "a", in: $0) { $0.label = "old" } }
            try await child.delete(Tag.self, ids: ["a"], saving: .keep)
            try await root.delete(Tag.self, ids: ["a"], saving: .keep)
            var tag = Tag(id: "a")
            tag.label = "new"
            try await child.create(tag, saving: .keep)
            #expect(try await child.fetch(Tag.self).map(\.label) == ["new"])
            #expect(try await root.undo())
            #expect(try await child.fetch(Tag.self).map(\.label) == ["new"])
            #expect(try await root.redo())
            try await child.save(.parent)
            #expect(try await root.fetch(Tag.self).map(\.label) == ["new"])
            try await root.save()
            #expect(try await dal.read { try Tag.all(in: $0).map(\.label) } == ["new"])
        }
    }

    @Test func `set-based statements change pending and stored rows alike`() async throws {
        try await withService { service, dal in
            let ada = try await dal.addAuthor("Ada", age: 1)
            try await service.create(Author.named("Ben", age: 1), saving: .keep)
            try await service.change { context in
                try Author.update(set: { [$0.age.set(to: 9)] }, in: context)
                try Author.deleteAll(where: { $0.name == "Ben" }, in: context)
                return ((), .keep)
            }
            #expect(try await service.fetch(Author.self).map(\.age) == [9])
            #expect(try await dal.author(ada)?.age == 1)
            try await service.save()
            #expect(try await dal.author(ada)?.age == 9)
        }
    }

    @Test func `observers are notified of a save once, with its columns`() async throws {
        try await withService { service, dal in
            let ada = try await dal.addAuthor("Ada")
            var feed = dal.changes(of: Author.self).makeAsyncIterator()
            try await service.change(ada) { $0.age = 2 }
            let ben = try await service.create(Author.named("Ben"), saving: .keep)
            _ = try await service.names()
            try await service.save()
            guard case .changes(let changes)? = try await feed.next() else {
                Issue.record("The feed has missed a write.")
                return
            }
            #expect(changes.inserted == [ben.id])
            #expect(changes.updated.map(\.columns) == [["age"]])
            #expect(changes.isComplete)
        }
    }

    @Test func `a service called inside its own closure gives a clear error`() async throws {
        try await withService { service, _ in
            let child = service.child()
            try await onThread {
                for inner in [service, child] {
                    try service.change { context in
                        let error = #expect(throws: PersistenceServiceError.self) {
                            _ = try inner.fetch(Author.self)
                        }
                        #expect(error?.code == .nestedCall)
                        #expect(throws: PersistenceServiceError.self) { try inner.save() }
                        #expect(throws: PersistenceServiceError.self) { try inner.undo() }
                        return ((), .keep)
                    }
                }
            }
        }
    }

    @Test func `many tasks use one tree at a time`() async throws {
        try await withService { root, dal in
            let child = root.child()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        switch number % 6 {
                        case 0: try await child.save(.parent)
                        case 1: _ = try await child.count(Author.self)
                        case 2: try await root.save()
                        default:
                            try await child.create(Author.named("\(number)"), saving: .keep)
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await child.save(.store)
            #expect(try await dal.names().count == 30)
        }
    }
}
