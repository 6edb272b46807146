#if Lifecycle
import SkiathosLocks
import Skiathos
import SkiathosLifecycle
import SkiathosTesting
import TestSupport
import Testing

@Suite(.generousTimeLimit) struct ReactorTests {
    @Test func `the work of a reactor ends and the store is closed`() async throws {
        let directory = try TemporaryDirectory()
        let dal = try await open(in: directory)
        let report = try await dal.runUntilTerminated {
            try await dal.write { try Note.create(in: $0) }
        }
        #expect(report.isComplete)
        #expect(try await storedNotes(in: directory) == 1)
    }

    @Test func `an error of the work is thrown after the store was closed`() async throws {
        struct Refused: Error {}
        let dal = try await open(.inMemory)
        await #expect(throws: Refused.self) {
            try await dal.runUntilTerminated { throw Refused() }
        }
        let error = await #expect(throws: DataAccessError.self) { try await dal.read { _ in } }
        #expect(error?.code == .closed)
    }

    @Test func `cancelling the caller of a reactor closes the store`() async throws {
        let directory = try TemporaryDirectory()
        let dal = try await open(in: directory)
        let running = Task {
            try await dal.runUntilTerminated {
                for await _ in AsyncStream<Void>(unfolding: { () }) {
                    try await dal.write { try Note.create(in: $0) }
                }
            }
        }
        running.cancel()
        let report = try await running.value
        #expect(report.isComplete, "\(report)")
        _ = try await storedNotes(in: directory)
    }

    @Test func `the last writes of work that was asked to stop are there`() async throws {
        let directory = try TemporaryDirectory()
        let dal = try await open(in: directory)
        let report = try await stopped(AppStateReactor(dal)) {
            // A cancelled task waits for no write of its own, and what does not wait is accepted.
            await #expect(throws: CancellationError.self) {
                try await dal.write { try Note.create(in: $0) }
            }
            dal.enqueue { try Note.create(in: $0) }
            try await Task { try await dal.write { try Note.create(in: $0) } }.value
            let count: Int = try await Task { try await dal.read { try Note.count(in: $0) } }.value
            #expect(count == 2)
        }
        #expect(report.isComplete, "\(report)")
        #expect(try await storedNotes(in: directory) == 2)
    }

    @Test func `work that does not end in its time does not keep the store from being closed`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let dal = try await open(in: directory)
        try await dal.write { try Note.create(in: $0) }
        let (shutDown, refused) = (Latch(), Promise<DataAccessError.Code?, Never>())
        let report = try await stopped(AppStateReactor(dal, deadline: .milliseconds(200))) {
            await shutDown.waitToTheEnd()
            let writing = Task { try await dal.write { try Note.create(in: $0) } }
            guard case .failure(let error) = await writing.result else {
                _ = refused.complete(.success(nil))
                return
            }
            refused.complete(.success((error as? DataAccessError)?.code))
        }
        #expect(!report.workEnded)
        #expect(!report.isComplete)
        #expect(report.stores.map(\.isClosed) == [true], "\(report)")
        #expect(report.description.hasPrefix("The work had not ended"))
        shutDown.open()
        #expect(await refused.outcome() == .success(.closed))
        #expect(try await storedNotes(in: directory) == 1)
    }

    @Test func `an error of work that was asked to stop is in the report`() async throws {
        struct Refused: Error {}
        let dal = try await open(.inMemory)
        let report = try await stopped(AppStateReactor(dal)) { throw Refused() }
        #expect(report.workFailure is Refused)
        #expect(report.workEnded)
        #expect(!report.isComplete)
        #expect(report.stores.map(\.isComplete) == [true])
        #expect(report.description.hasPrefix("The work failed while it stopped: Refused()."))
    }

    @Test func `a cancellation that the work throws on is no error`() async throws {
        let dal = try await open(.inMemory)
        let report = try await stopped(AppStateReactor(dal)) { throw CancellationError() }
        #expect(report.isComplete, "\(report)")
        #expect(report.workFailure == nil)
    }

    /// Runs work that begins after the caller of the reactor was cancelled.
    private func stopped(
        _ reactor: AppStateReactor, _ work: @escaping @Sendable () async throws -> Void
    ) async throws -> ReactorReport {
        let began = Latch()
        let running = Task {
            try await reactor.run {
                began.open()
                for await _ in AsyncStream<Never>.makeStream().stream {}
                try await work()
            }
        }
        await began.waitToTheEnd()
        running.cancel()
        return try await running.value
    }
}

/// Opens a store of notes.
func open(
    _ source: StoreSource, label: String = "main", _ configuration: Configuration = .patient
) async throws -> DataAccessLayer {
    var configuration = configuration
    configuration.label = label
    return try await DataAccessLayer.open(
        source, entities: Note.self, configuration: configuration)
}

/// Opens the store of notes that ``storedNotes(in:)`` counts.
func open(
    in directory: TemporaryDirectory, _ configuration: Configuration = .patient
) async throws -> DataAccessLayer {
    try await open(.sqlite(directory.file("test.sqlite")), configuration)
}
#endif
