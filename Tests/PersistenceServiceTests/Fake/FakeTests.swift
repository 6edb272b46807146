import PersistenceService
import PersistenceServiceTesting
import SkiathosTesting
import TestSupport
import Testing

/// Application code that depends on the protocol alone.
private struct Library {
    let persistence: any PersistenceService

    func rename(_ old: String, to new: String) async throws {
        let form = persistence.makeChild()
        try await form.update(Author.self, where: { $0.name == old }) { authors, _ in
            for author in authors { author.name = new }
            return .keep
        }
        guard try await form.exists(Author.self, where: { $0.name == new }) else { return }
        try await form.save(.store)
    }
}

@Suite struct FakeTests {
    @Test func `code is tested with seeded rows, and its calls are recorded`() async throws {
        let fake = FakePersistenceService(entities: Author.self) {
            try Author.create(in: $0) { $0.name = "Ada" }
        }
        try await Library(persistence: fake).rename("Ada", to: "Eve")
        #expect(
            fake.calls.map(\.description) == ["update Author", "exists Author", "save store"])
        fake.forgetCalls()
        #expect(try await fake.fetch(Author.self).map(\.name) == ["Eve"])
        #expect(fake.calls == [ServiceOperation(.fetch, entity: "Author")])
    }

    @Test func `planned failures are thrown in their order, and change nothing`() async throws {
        let fake = FakePersistenceService(entities: Author.self) {
            try Author.create(in: $0) { $0.name = "Ada" }
        }
        fake.failNext(.save, with: Refused())
        fake.failNext(.count, with: CancellationError(), times: 2)
        await #expect(throws: Refused.self) {
            try await Library(persistence: fake).rename("Ada", to: "Eve")
        }
        for _ in 0..<2 {
            await #expect(throws: CancellationError.self) { _ = try await fake.count(Author.self) }
        }
        #expect(try await fake.count(Author.self, where: { $0.name == "Ada" }) == 1)
        let kinds: [ServiceOperation.Kind] = [.create, .rollBack, .undo, .redo, .read, .change]
        for kind in kinds { fake.failNext(kind, with: Refused()) }
        await #expect(throws: Refused.self) { try await fake.create(Author.self, saving: .keep) }
        await #expect(throws: Refused.self) { try await fake.rollBack() }
        await #expect(throws: Refused.self) { try await fake.undo() }
        await #expect(throws: Refused.self) { try await fake.redo() }
        #expect(!fake.hasPendingChanges && !fake.canUndo && !fake.canRedo)
    }

    @Test func `enqueued changes are recorded, and their failures are kept`() async throws {
        let fake = FakePersistenceService(entities: Author.self)
        fake.failNext(.change, with: CancellationError())
        fake.enqueue("planned") { _ in .store }
        fake.makeChild().enqueue("thrown") { _ in throw Refused() }
        fake.enqueue("done") { context in
            try Author.create(in: context) { $0.name = "Ada" }
            return .store
        }
        await fake.waitForEnqueuedChanges()
        #expect(
            fake.calls.map(\.description) == ["change planned", "change thrown", "change done"])
        #expect(fake.unawaitedFailures.map(\.operation.name) == ["planned", "thrown"])
        #expect(fake.unawaitedFailures.first?.error is CancellationError)
        #expect(fake.unawaitedFailures.last?.error is Refused)
        #expect(try await fake.fetch(Author.self).map(\.name) == ["Ada"])
    }

    @Test func `a planned failure of deleting hits a deletion by condition`() async throws {
        let fake = FakePersistenceService(entities: Author.self) {
            for name in ["Ada", "Ben"] { try Author.create(in: $0) { $0.name = name } }
        }
        fake.failNext(.delete, with: Refused())
        await #expect(throws: Refused.self) {
            try await fake.delete(Author.self, where: { $0.name == "Ada" }, saving: .store)
        }
        #expect(try await fake.count(Author.self) == 2)
        let count = try await fake.delete(Author.self, where: { $0.name == "Ada" }, saving: .store)
        #expect(count == 1)
        let calls = fake.calls.map(\.description)
        #expect(calls == ["delete Author", "count Author", "delete Author"])
    }

    @Test func `the test controls when the fake is ready`() async throws {
        let fake = FakePersistenceService(entities: Author.self, isReady: false)
        let waiting = Task { try await fake.count(Author.self) }
        #expect(!fake.readiness.isReady)
        fake.becomeReady()
        #expect(try await waiting.value == 0)
        let broken = FakePersistenceService(
            entities: Author.self, isReady: false, beforeReady: .fail)
        await #expect {
            _ = try await broken.count(Author.self)
        } throws: {
            ($0 as? PersistenceServiceError)?.code == .notReady
        }
        broken.failOpening(with: Refused())
        broken.becomeReady()
        await #expect {
            try await broken.makeChild().ready()
        } throws: {
            ($0 as? PersistenceServiceError)?.cause is Refused
        }
        #expect(broken.unawaitedFailures.map(\.operation.kind) == [.open])
    }

    @Test func `a fake over a store of the test works synchronously too`() async throws {
        try await withStore(.memory) { dal in
            let fake = FakePersistenceService(dal)
            let names = try await onThread {
                try fake.create(Author.named("Ada"), saving: .keep)
                try fake.create(Author.named("Ben"), saving: .keep)
                _ = try fake.undo()
                _ = try fake.redo()
                try fake.save(.parent)
                try fake.create(Author.named("Cleo"), saving: .keep)
                try fake.rollBack()
                return try fake.fetch(Author.self).map(\.name)
            }
            #expect(names == ["Ada", "Ben"])
            #expect(try await dal.names() == names)
        }
    }
}
