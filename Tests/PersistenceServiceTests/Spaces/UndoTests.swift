import PersistenceService
import SkiathosTesting
import TestSupport
import Testing

@Suite struct UndoTests {
    @Test func `steps are undone and redone, the last one first`() async throws {
        try await withService { service, dal in
            let ada = try await dal.addAuthor("Ada", age: 1)
            try await service.update(Author.self, ids: [ada], named: "older") { authors, _ in
                for author in authors { author.age += 1 }
                return .keep
            }
            try await service.create(Author.named("Ben"), saving: .keep)
            try await service.delete(Author.self, ids: [ada], saving: .keep)
            #expect(
                service.history.undoable == ["older", "create Author", "delete Author"])
            #expect(try await service.names() == ["Ben"])
            #expect(try await service.undo())
            #expect(try await service.names() == ["Ada", "Ben"])
            #expect(try await service.undo())
            #expect(try await service.author(ada)?.age == 2)
            #expect(try await service.names() == ["Ada"])
            #expect(try await service.undo())
            #expect(!service.hasPendingChanges)
            #expect(try await service.undo() == false)
            #expect(!service.canUndo && service.canRedo)
            #expect(try await service.redo())
            #expect(try await service.author(ada)?.age == 2)
            let rest = try await onThread { [try service.redo(), try service.redo()] }
            #expect(rest == [true, true])
            #expect(try await service.redo() == false)
            #expect(try await service.names() == ["Ben"])
        }
    }

    @Test func `a new step leaves nothing to redo`() async throws {
        try await withService { service, _ in
            try await service.create(Author.named("Ada"), saving: .keep)
            try await service.undo()
            try await service.create(Author.named("Ben"), saving: .keep)
            #expect(!service.canRedo)
            #expect(try await service.names() == ["Ben"])
        }
    }

    @Test func `saving clears the steps of every saved level`() async throws {
        try await withService { root, _ in
            let child = root.child()
            try await child.create(Author.named("Ada"), saving: .keep)
            try await child.save(.parent)
            #expect(!child.canUndo)
            // For the parent it is one step.
            #expect(root.history.undoable == ["save"])
            try await child.create(Author.named("Ben"), saving: .keep)
            try await root.undo()
            #expect(try await child.names() == ["Ben"])
            try await child.save(.store)
            #expect(!root.canUndo && !root.canRedo && !child.canUndo)
        }
    }

    @Test func `the number of kept steps is limited`() async throws {
        try await withStore { dal in
            let service = StorePersistenceService(dal, undoLimit: 2)
            for name in ["Ada", "Ben", "Cleo"] {
                try await service.create(Author.named(name), saving: .keep)
            }
            #expect(service.history.undoable.count == 2)
            while try await service.undo() {}
            #expect(try await service.names() == ["Ada"])
            let none = StorePersistenceService(dal, undoLimit: 0)
            try await none.create(Author.named("Dora"), saving: .keep)
            #expect(try await none.undo() == false)
        }
    }

    @Test func `an operation that changes nothing is no step`() async throws {
        try await withService { service, dal in
            _ = try await dal.addAuthor("Ada")
            try await service.update(Author.self) { _, _ in .keep }
            #expect(!service.canUndo)
            #expect(!service.hasPendingChanges)
        }
    }
}
