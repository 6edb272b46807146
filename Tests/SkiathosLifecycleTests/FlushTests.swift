#if Lifecycle
import SkiathosLocks
import Logging
import Skiathos
import SkiathosTesting
import TestSupport
import Testing

@testable import SkiathosCore
@testable import SkiathosLifecycle

@Suite(.generousTimeLimit) struct FlushTests {
    @Test(arguments: [AppState.inactive, .background])
    func `an app that may be ended without notice has its store flushed, and continues`(
        state: AppState
    ) async throws {
        var configuration = Configuration.patient
        // Nothing is committed unless something asks for it.
        configuration.commitInterval = .seconds(3_600)
        let directory = try TemporaryDirectory()
        let dal = try await open(in: directory, configuration)
        let (states, continuation) = AsyncStream.makeStream(of: AppState.self)
        let report = try await reactor(dal).run(following: states) {
            var commits = dal.changes(of: Note.self).makeAsyncIterator()
            try await dal.write(acknowledging: .merged) { try Note.create(in: $0) }
            continuation.yield(.active)
            continuation.yield(state)
            // An event is a commit.
            let commit = try await commits.next()
            #expect(commit != nil)
            // The end of the states is not the end of the work.
            continuation.finish()
            try await dal.write { try Note.create(in: $0) }
        }
        #expect(report.isComplete, "\(report)")
        #expect(try await storedNotes(in: directory) == 2)
    }

    @Test func `an app that terminates has its work stopped and its store closed`() async throws {
        let directory = try TemporaryDirectory()
        let dal = try await open(in: directory)
        let (states, continuation) = AsyncStream.makeStream(of: AppState.self)
        let report = try await reactor(dal).run(following: states) {
            continuation.yield(.terminating)
            for await _ in AsyncStream<Never>.makeStream().stream {}
            dal.enqueue { try Note.create(in: $0) }
        }
        #expect(report.isComplete, "\(report)")
        #expect(try await storedNotes(in: directory) == 1)
    }

    @Test func `states that end with an error do not end the work`() async throws {
        struct Lost: Error {}
        let dal = try await open(.inMemory)
        let logged = LogStream()
        let states = AsyncThrowingStream<AppState, any Error>(unfolding: { throw Lost() })
        let report = try await reactor(dal, logged.logger).run(following: states) {
            let message = await logged.first(at: .error)
            #expect(message == "The states of the app ended with an error: Lost()")
            try await dal.write { try Note.create(in: $0) }
        }
        #expect(report.isComplete, "\(report)")
    }

    @Test func `a flush that fails is logged and does not end the work`() async throws {
        let (closed, dal) = (try await open(.inMemory, label: "closed"), try await open(.inMemory))
        try await closed.close()
        let logged = LogStream()
        let (states, continuation) = AsyncStream.makeStream(of: AppState.self)
        let report = try await AppStateReactor(
            closed, dal, logger: logged.logger, whenBlocked: { _ in }
        ).run(following: states) {
            continuation.yield(.background)
            let message = await logged.first(at: .error)
            #expect(message?.hasPrefix("The store could not be flushed: ") == true)
            try await dal.write { try Note.create(in: $0) }
        }
        #expect(report.workEnded)
        #expect(report.workFailure == nil)
        #expect(report.stores[1].isComplete)
    }

    @Test func `a flush that waits for its turn is given up for the shutdown`() async throws {
        // Without the long grace of the other tests, which the write below would use up.
        let dal = try await DataAccessLayer.open(.inMemory, entities: Note.self)
        let flusher = StoreFlusher([dal], logger: Logger(label: "test"))
        let (began, end) = (Latch(), Latch())
        dal.enqueue { _ in
            began.open()
            end.wait()
        }
        await began.waitToTheEnd()
        flusher.request()
        while dal.coordinator.rootWriter.permits.waitingCount == 0 { await Task.yield() }
        flusher.end()
        // The write never ends before the deadline, so a flush that waited would be refused by it.
        let report = await dal.shutDown(within: .zero)
        #expect(report.refused == 0)
        end.open()
        try await dal.close()
    }

    @Test func `requests during a flush share one further flush`() {
        var state = FlushState.idle
        let begun = [state.request(), state.request(), state.request()]
        #expect(begun == [true, false, false])
        let continued = [state.flushEnded(), state.flushEnded()]
        #expect(continued == [true, false])
        #expect(state == .idle)
    }

    @Test func `a flusher that has ended takes no request`() {
        var state = FlushState.over
        let begun = [state.request(), state.flushEnded()]
        #expect(begun == [false, false])
        #expect(state == .over)
    }

    /// A reactor whose process survives that other tests hold all threads of tasks.
    private func reactor(
        _ dal: DataAccessLayer, _ logger: Logger = Logger(label: "test")
    ) -> AppStateReactor {
        AppStateReactor(dal, logger: logger, whenBlocked: { _ in })
    }
}

/// The messages of a logger, for which a test waits.
private struct LogStream: Sendable {
    private let messages: AsyncStream<(level: Logger.Level, text: String)>
    private let continuation: AsyncStream<(level: Logger.Level, text: String)>.Continuation

    init() { (messages, continuation) = AsyncStream.makeStream() }

    var logger: Logger { Logger(label: "test") { [continuation] _ in Handler(log: continuation) } }

    /// The first message at a level.
    func first(at level: Logger.Level) async -> String? {
        await messages.first { $0.level == level }?.text
    }

    private struct Handler: LogHandler {
        let log: AsyncStream<(level: Logger.Level, text: String)>.Continuation
        var logLevel = Logger.Level.trace
        var metadata = Logger.Metadata()

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { log.yield((event.level, "\(event.message)")) }
    }
}
#endif
