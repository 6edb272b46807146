import Skiathos
import TestSupport
import Testing

@Suite(.generousTimeLimit) struct ClosedStoreTests {
    @Test func `every call after closing fails with that reason, and closing again has no effect`()
        async throws
    {
        let store = try TemporaryStore()
        let dal = try await store.open()
        try await dal.close()
        try await dal.close()
        try await onThread { try dal.close() }
        let calls: [@Sendable () async throws -> Void] = [
            { try await dal.read { _ in } },
            { try await dal.write { _ in } },
            { try await dal.flush() },
            { try await dal.reset() },
            { _ = try await dal.integrityProblems() },
            { _ = try await onThread { try dal.read { _ in } } },
            { _ = try await onThread { try dal.write { _ in } } },
            { _ = try await onThread { try dal.flush() } },
            { _ = try await onThread { try dal.reset() } },
        ]
        for (number, call) in calls.enumerated() {
            let error = await #expect(throws: DataAccessError.self, "call \(number)") {
                try await call()
            }
            #expect(error?.code == .closed, "call \(number)")
        }
    }

    @Test func `an enqueued write after closing goes to the error handler`() async throws {
        let failures = Log<BackgroundFailure>()
        let reported = Event()
        var configuration = Configuration()
        configuration.errorHandler = { failure in
            failures.note(failure)
            reported.happen()
        }
        let store = try TemporaryStore()
        let dal = try await store.open(configuration)
        try await dal.close()
        dal.enqueue { try User.create(in: $0) }
        await reported.wait()
        #expect(failures.entries.map(\.operation) == [.enqueuedWrite])
        #expect((failures.entries.first?.error as? DataAccessError)?.code == .closed)
    }

    @Test func `closing finishes what was accepted and refuses what comes later`() async throws {
        let store = try TemporaryStore()
        let dal = try await store.open()
        try await dal.whileAWriteIsUnderWay {
            for age in 0..<100 {
                dal.enqueue { context in try User.create(in: context) { $0.age = age } }
            }
            let closing = Task { try await dal.close() }
            await dal.waitForWriters(101)
            let error = await #expect(throws: DataAccessError.self) { try await dal.write { _ in } }
            #expect(error?.code == .closed)
            closing.cancel()
        }
        // Waits for the first call.
        try await dal.close()
        #expect(try await store.storedUsers() == 100)
    }

    @Test func `closing waits for a read that is under way`() async throws {
        let store = try TemporaryStore()
        let dal = try await store.open()
        try await dal.write { try User.create(in: $0) }
        let door = Door()
        let began = Event()
        async let held: Int = onThread {
            try dal.read { context in
                began.happen()
                door.pass()
                return try User.count(in: context)
            }
        }
        await began.wait()
        async let closing: Void = dal.close()
        door.open()
        #expect(try await held == 1)
        try await closing
        #expect(try await store.storedUsers() == 1)
    }
}
