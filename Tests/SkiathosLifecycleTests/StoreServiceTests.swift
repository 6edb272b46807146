#if Lifecycle
import Logging
import ServiceLifecycle
import ServiceLifecycleTestKit
import Skiathos
import SkiathosLifecycle
import SkiathosTesting
import TestSupport
import Testing

@Suite(.generousTimeLimit) struct StoreServiceTests {
    @Test func `a graceful shutdown of the group closes the store`() async throws {
        let directory = try TemporaryDirectory()
        let dal = try await DataAccessLayer.open(
            .sqlite(directory.file("test.sqlite")), entities: Note.self,
            configuration: .patient)
        try await testGracefulShutdown { trigger in
            async let running: Void = dal.run()
            try await dal.write { try Note.create(in: $0) }
            trigger.triggerGracefulShutdown()
            try await running
        }
        let error = await #expect(throws: DataAccessError.self) { try await dal.read { _ in } }
        #expect(error?.code == .closed)
        #expect(try await storedNotes(in: directory) == 1)
    }

    @Test func `cancelling the group closes the store too`() async throws {
        let directory = try TemporaryDirectory()
        let dal = try await DataAccessLayer.open(
            .sqlite(directory.file("test.sqlite")), entities: Note.self,
            configuration: .patient)
        for _ in 0..<100 { dal.enqueue { try Note.create(in: $0) } }
        let running = Task { try await dal.run() }
        running.cancel()
        try await running.value
        #expect(try await storedNotes(in: directory) == 100)
    }
}

extension Configuration {
    /// With a deadline that passes on no machine, however busy it is.
    static var patient: Self {
        var configuration = Self()
        configuration.shutdownDeadline = .seconds(600)
        configuration.shutdownGrace.closures = .seconds(600)
        configuration.shutdownGrace.flush = .seconds(600)
        return configuration
    }
}

/// Opens a store again, which shows that it was closed, and counts.
func storedNotes(in directory: TemporaryDirectory) async throws -> Int {
    let dal = try await DataAccessLayer.open(
        .sqlite(directory.file("test.sqlite")), entities: Note.self)
    let count: Int = try await dal.read { try Note.count(in: $0) }
    let problems = try await dal.integrityProblems()
    #expect(problems == [])
    try await dal.close()
    return count
}
#endif
