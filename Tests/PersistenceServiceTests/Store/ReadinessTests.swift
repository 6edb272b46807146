import PersistenceService
import Skiathos
import SkiathosTesting
import TestSupport
import Testing

@Suite struct ReadinessTests {
    @Test func `operations before readiness fail at once where that is configured`() async throws {
        let opening = Event()
        let service = StorePersistenceService(beforeReady: .fail) {
            await opening.wait()
            return try await DataAccessLayer.open(.inMemory, entities: fixtures)
        }
        let error = await #expect(throws: PersistenceServiceError.self) {
            _ = try await service.count(Author.self)
        }
        #expect(error?.code == .notReady)
        let synchronous = await #expect(throws: PersistenceServiceError.self) {
            try await onThread { try service.count(Author.self) }
        }
        #expect(synchronous?.code == .notReady)
        opening.happen()
        try await service.ready()
        #expect(try await service.count(Author.self) == 0)
    }

    @Test func `a service that is only given what opens its store waits for it`() async throws {
        let opening = Event()
        let service = StorePersistenceService {
            await opening.wait()
            return try await DataAccessLayer.open(.inMemory, entities: fixtures)
        }
        async let count = service.count(Author.self)
        opening.happen()
        #expect(try await count == 0)
    }

    @Test func `readiness can be watched`() async throws {
        let opening = Event()
        let service = StorePersistenceService(beforeReady: .wait) {
            await opening.wait()
            return try await DataAccessLayer.open(.inMemory, entities: fixtures)
        }
        let changes = service.readinessChanges
        opening.happen()
        var seen: [Bool] = []
        for await readiness in changes { seen.append(readiness.isReady) }
        #expect(seen == [false, true])
        var later: [Bool] = []
        for await readiness in service.readinessChanges { later.append(readiness.isReady) }
        #expect(later == [true])
    }

    @Test func `cancelling a waiting call cancels no other call`() async throws {
        let opening = Event()
        let service = StorePersistenceService(beforeReady: .wait) {
            await opening.wait()
            return try await DataAccessLayer.open(.inMemory, entities: fixtures)
        }
        let cancelled = Task { try await service.count(Author.self) }
        let waiting = Task { try await service.count(Author.self) }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { _ = try await cancelled.value }
        opening.happen()
        #expect(try await waiting.value == 0)
    }

    @Test func `the closure that opens the store cannot wait for itself`() async throws {
        let services = AsyncStream.makeStream(of: StorePersistenceService.self)
        let service = StorePersistenceService(beforeReady: .wait) {
            for await service in services.stream {
                let error = await #expect(throws: PersistenceServiceError.self) {
                    _ = try await service.count(Author.self)
                }
                #expect(error?.code == .notReady)
                break
            }
            return try await DataAccessLayer.open(.inMemory, entities: fixtures)
        }
        services.continuation.yield(service)
        try await service.ready()
    }

    @Test func `a closed store gives an error that says so`() async throws {
        let dal = try await DataAccessLayer.open(.inMemory, entities: fixtures)
        let service = StorePersistenceService(dal)
        try await service.create(Author.named("Ada"), saving: .keep)
        try await dal.close()
        await #expect {
            _ = try await service.fetch(Author.self)
        } throws: {
            ($0 as? DataAccessError)?.code == .closed
        }
    }
}
