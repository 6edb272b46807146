import PersistenceService
import Skiathos
import SkiathosStore
import SkiathosTesting
import TestSupport
import Testing

/// What the systems before this one got wrong, by the numbers of the contract.
@Suite struct RegressionTests {
    @Test func `defect 7: a write before the store is ready waits, and opening can fail`()
        async throws
    {
        let opening = Event()
        let service = StorePersistenceService(beforeReady: .wait) {
            await opening.wait()
            return try await DataAccessLayer.open(.inMemory, entities: fixtures)
        }
        let early = Task { try await service.create(Author.named("Ada"), saving: .store) }
        let blocked = Task { try await onThread { try service.count(Author.self) } }
        #expect(!service.readiness.isReady)
        opening.happen()
        try await service.ready()
        #expect(try await early.value.name == "Ada")
        #expect(try await blocked.value <= 1)

        let broken = StorePersistenceService(beforeReady: .wait) { throw Refused() }
        for _ in 0..<3 {
            await #expect {
                try await broken.ready()
            } throws: {
                ($0 as? PersistenceServiceError)?.code == .openingFailed
                    && ($0 as? PersistenceServiceError)?.cause is Refused
            }
            await #expect(throws: PersistenceServiceError.self) {
                try await broken.create(Author.self, saving: .store)
            }
        }
        #expect(broken.readiness.failure != nil)
    }

    @Test func `defect 9: concurrent find-or-create makes no duplicates, and no count is lost`()
        async throws
    {
        try await withService { service, dal in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<40 {
                    group.addTask {
                        try await service.change { context in
                            let ada =
                                try Author.first(where: { $0.name == "Ada" }, in: context)
                                ?? Author.create(in: context) { $0.name = "Ada" }
                            ada.age += 1
                            return ((), .store)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await dal.names() == ["Ada"])
            #expect(try await service.fetch(Author.self)[0].age == 40)
        }
    }

    @Test func `defect 10: saving a clean child to the store saves its parent`() async throws {
        try await withService { parent, dal in
            let child = parent.child()
            try await parent.create(Author.named("Ada"), saving: .keep)
            #expect(!child.hasPendingChanges)
            try await child.save(.store)
            #expect(try await dal.names() == ["Ada"])
            #expect(!parent.hasPendingChanges)
            // A failure of the parent's changes is also reported to the child.
            try await parent.create(Author.named("Ben", email: "b"), saving: .keep)
            try await dal.write {
                try Author.create(in: $0) { $0.email = "b" }
            }
            await #expect {
                try await child.save(.store)
            } throws: {
                ($0 as? StoreError)?.code == .uniqueViolation
            }
            #expect(parent.hasPendingChanges)
        }
    }

    @Test func `defect 11: a refused transform leaves unrelated pending work alone`()
        async throws
    {
        try await withService { service, _ in
            try await service.create(Author.named("Ada"), saving: .keep)
            try await service.create(Author.self, from: ["Ben", ""], saving: .keep) {
                $0.isEmpty ? nil : Author.named($0)
            }
            #expect(try await service.names() == ["Ada", "Ben"])
            await #expect(throws: Refused.self) {
                try await service.create(Author.self, from: ["Cleo", ""], saving: .keep) {
                    if $0.isEmpty { throw Refused() }
                    return Author.named($0)
                }
            }
            await #expect(throws: Refused.self) {
                try await service.update(Author.self) { authors, _ in
                    for author in authors { author.name = "Eve" }
                    throw Refused()
                }
            }
            await #expect(throws: Refused.self) {
                try await service.create(Author.self, saving: .keep) {
                    $0.name = "Eve"
                    throw Refused()
                }
            }
            #expect(try await service.names() == ["Ada", "Ben"])
            #expect(service.history.undoable.count == 2)
        }
    }

    @Test func `defect 12: an update by IDs never runs on a part of the list`() async throws {
        try await withService { service, _ in
            let ada = try await service.create(Author.named("Ada"), saving: .keep)
            await #expect {
                try await service.update(Author.self, ids: [ada.id, 98, 99]) { _, _ in
                    Issue.record("The closure ran although IDs were missing.")
                    return .keep
                }
            } throws: { error in
                let error = error as? PersistenceServiceError
                return error?.code == .missingIDs
                    && error?.missingIDs.compactMap { $0 as? Author.ID } == [98, 99]
            }
            let missing = try await service.update(
                Author.self, ids: [99, ada.id], missing: .leftOut
            ) { authors, _ in
                for author in authors { author.age = 7 }
                return .keep
            }
            #expect(missing == [99])
            #expect(try await service.author(ada.id)?.age == 7)
        }
    }

    @Test func `defect 13: an error of saving in an update by IDs reaches the caller`()
        async throws
    {
        try await withService { service, dal in
            _ = try await service.create(Author.named("Ada", email: "a"), saving: .store)
            let ben = try await service.create(Author.named("Ben"), saving: .store)
            await #expect {
                try await service.update(Author.self, ids: [ben.id]) { authors, _ in
                    for author in authors { author.email = "a" }
                    return .store
                }
            } throws: {
                ($0 as? StoreError)?.code == .uniqueViolation
            }
            await #expect {
                try await service.change { context in
                    try Book.create(in: context) { $0.author = 99 }
                    return ((), .store)
                }
            } throws: {
                ($0 as? StoreError)?.code == .foreignKeyViolation
            }
            await #expect {
                try await service.change { context in
                    try Book.create(in: context) { $0.pages = -1 }
                    return ((), .store)
                }
            } throws: {
                ($0 as? DataAccessError)?.code == .validationFailed
            }
            #expect(try await dal.author(ben.id)?.email == nil)
            #expect(!service.hasPendingChanges)
        }
    }

    @Test func `defect 13: a child of a service that cannot be ready says so`() async throws {
        let service = StorePersistenceService(beforeReady: .wait) { throw Refused() }
        let child = service.makeChild()
        await #expect {
            try await child.ready()
        } throws: {
            ($0 as? PersistenceServiceError)?.code == .openingFailed
        }
        #expect(child.readiness.failure != nil)
    }
}
