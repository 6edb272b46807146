import PersistenceService
import ReliabilityKit
import Skiathos
import SkiathosCore
import SkiathosStore
import SkiathosTesting
import Testing

@Suite struct ExclusiveTransactionFaultTests {
    @Test(arguments: [
        Faults.Point.apply, .applyLosingTransaction, .query,
    ])
    func `a fault leaves no transaction open, and keeps pending changes`(
        _ point: Faults.Point
    ) async throws {
        let faults = Faults()
        let source = StoreSource.inMemory.mapped { faults.store(over: $0) }
        try await withStore(source, entities: fixtures) { dal in
            let service = StorePersistenceService(dal)
            try await service.create(Author.self, saving: .keep) { $0.name = "Ada" }
            faults.set(point)
            await #expect {
                _ = try await service.fetch(Author.self)
            } throws: {
                ($0 as? StoreError)?.code == .diskFull
            }
            await #expect(throws: (any Error).self) {
                try await service.update(Author.self) { authors, context in
                    // The closure tries to hide that the store has failed.
                    for author in authors { author.name = "Eve" }
                    _ = try? Author.count(in: context)
                    return .keep
                }
            }
            faults.set(.nothing)
            #expect(!faults.leftTransaction)
            #expect(try await service.names() == ["Ada"])
            #expect(try await dal.names() == [])
            try await service.save()
            #expect(try await dal.names() == ["Ada"])
        }
    }

    @Test func `a commit that fails keeps all changes pending`() async throws {
        let faults = Faults()
        let source = StoreSource.inMemory.mapped { faults.store(over: $0) }
        try await withStore(source, entities: fixtures) { dal in
            let service = StorePersistenceService(dal)
            let child = service.child()
            try await service.create(Author.self, saving: .keep) { $0.name = "Ada" }
            try await child.create(Author.self, saving: .keep) { $0.name = "Ben" }
            faults.set(.commit)
            await #expect {
                try await child.save(.store)
            } throws: {
                ($0 as? StoreError)?.code == .diskFull
            }
            faults.set(.nothing)
            #expect(try await child.names() == ["Ada", "Ben"])
            #expect(try await service.names() == ["Ada"])
            #expect(child.canUndo)
            #expect(try await dal.names() == [])
            try await child.save(.store)
            #expect(try await dal.names() == ["Ada", "Ben"])
        }
    }

    @Test func `a cancelled operation leaves no changes`() async throws {
        try await withService { service, dal in
            try await service.create(Author.self, saving: .keep) { $0.name = "Ada" }
            for _ in 0..<3 {
                let task = Task {
                    try await service.update(Author.self) { authors, context in
                        for author in authors { author.name = "Eve" }
                        withUnsafeCurrentTask { $0?.cancel() }
                        _ = try Author.count(in: context)
                        return .store
                    }
                }
                await #expect(throws: CancellationError.self) { try await task.value }
                let query = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    return try await service.fetch(Author.self)
                }
                await #expect(throws: CancellationError.self) { _ = try await query.value }
            }
            #expect(try await service.names() == ["Ada"])
            #expect(try await dal.names() == [])
        }
    }
}
