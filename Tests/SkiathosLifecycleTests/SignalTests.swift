#if Lifecycle
import Dispatch
import Foundation
import SkiathosLocks
import Logging
import ServiceLifecycle
import Skiathos
import SkiathosLifecycle
import SkiathosStore
import SkiathosTesting
import Synchronization
import TestSupport
import Testing
import UnixSignals

#if canImport(Glibc)
import Glibc

/// Signals that are sent to a process of its own.
@Suite(.serialized, .generousTimeLimit) struct SignalTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal under load ends the process in order, after all writes of its work`(
        signal: Int32
    ) async throws {
        let directory = try TemporaryDirectory()
        await #expect(processExitsWith: .success) {
            [path = directory.path as String, signal = signal as Int32] in
            let ends = Ends()
            var configuration = Configuration()
            configuration.shutdownDeadline = .seconds(600)
            configuration.errorHandler = { _ in ends.note(isDone: false) }
            let dal = try await DataAccessLayer.open(
                .sqlite(path + "/test.sqlite"), entities: Note.self, configuration: configuration)
            let report = try await dal.runUntilTerminated {
                // It is asked to stop by being cancelled, which a loop does not notice.
                for number in 0..<5_000 {
                    dal.write({ context -> Void in try Note.create(in: context) }) { end in
                        ends.note(isDone: (try? end.get()) != nil)
                    }
                    if number == 2_500 { kill(getpid(), signal) }
                }
                // Until it is cancelled.
                for await _ in AsyncStream<Never>.makeStream().stream {}
            }
            #expect(report.isComplete, "\(report)")
            await ends.wait(for: 5_000)
            let lines = "\(ends.done)"
            try lines.write(toFile: path + "/done", atomically: true, encoding: .utf8)
        }
        let done = try String(contentsOfFile: directory.file("done"), encoding: .utf8)
        #expect(done == "5000")
        #expect(try await storedNotes(in: directory) == 5_000)
    }

    @Test func `the reaction to closures that hold all threads gets the report`() async throws {
        let directory = try TemporaryDirectory()
        await #expect(processExitsWith: .exitCode(7)) { [path = directory.path as String] in
            var configuration = Configuration()
            configuration.shutdownDeadline = .milliseconds(100)
            let dal = try await DataAccessLayer.open(
                .sqlite(path + "/test.sqlite"), entities: Note.self, configuration: configuration)
            try await dal.write { try Note.create(in: $0) }
            let count = ProcessInfo.processInfo.activeProcessorCount
            let held = Ends()
            try await dal.runUntilTerminated { report in
                // No task is waited for here.
                let store = report.stores[0]
                let isTrue =
                    !report.workEnded && store.isDurable && !store.isClosed
                    && store.unfinished == count
                _exit(isTrue ? 7 : 8)
            } _: {
                for _ in 0..<count {
                    Task.detached {
                        try await dal.read { _ -> Void in
                            if held.note(isDone: true) == count { kill(getpid(), SIGTERM) }
                            DispatchSemaphore(value: 0).wait()
                        }
                    }
                }
                for await _ in AsyncStream<Never>.makeStream().stream {}
            }
        }
        #expect(try await storedNotes(in: directory) == 1)
    }

    @Test func `work that holds all threads does not keep the store from being closed`()
        async throws
    {
        let directory = try TemporaryDirectory()
        await #expect(processExitsWith: .exitCode(7)) { [path = directory.path as String] in
            var configuration = Configuration()
            configuration.shutdownDeadline = .milliseconds(100)
            configuration.shutdownGrace.closures = .seconds(600)
            let dal = try await DataAccessLayer.open(
                .sqlite(path + "/test.sqlite"), entities: Note.self, configuration: configuration)
            try await dal.write { try Note.create(in: $0) }
            let count = ProcessInfo.processInfo.activeProcessorCount
            let held = Ends()
            try await dal.runUntilTerminated { report in
                _exit(!report.workEnded && report.stores[0].isClosed ? 7 : 8)
            } _: {
                for _ in 1..<count {
                    Task.detached {
                        held.note(isDone: true)
                        blockForEver()
                    }
                }
                await held.wait(for: count - 1)
                kill(getpid(), SIGTERM)
                blockForEver()
            }
        }
        #expect(try await storedNotes(in: directory) == 1)
    }

    @Test func `a second signal ends the wait for work that does not end`() async throws {
        let directory = try TemporaryDirectory()
        await #expect(processExitsWith: .success) { [path = directory.path as String] in
            var configuration = Configuration()
            configuration.shutdownDeadline = .seconds(3_600)
            configuration.shutdownGrace.closures = .seconds(600)
            let dal = try await DataAccessLayer.open(
                .sqlite(path + "/test.sqlite"), entities: Note.self, configuration: configuration)
            let report = try await dal.runUntilTerminated(whenBlocked: { _ in }) {
                try await dal.write { try Note.create(in: $0) }
                kill(getpid(), SIGTERM)
                // Until it is cancelled.
                for await _ in AsyncStream<Never>.makeStream().stream {}
                kill(getpid(), SIGTERM)
                await Latch().waitToTheEnd()
            }
            #expect(!report.workEnded)
            #expect(report.stores[0].isClosed, "\(report)")
        }
        #expect(try await storedNotes(in: directory) == 1)
    }

    @Test func `writes before a flush signal survive kill -9`() async throws {
        let directory = try TemporaryDirectory()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String] in
            var configuration = Configuration()
            // Nothing is committed unless something asks for it.
            configuration.commitInterval = .seconds(3_600)
            let dal = try await DataAccessLayer.open(
                .sqlite(path + "/test.sqlite"), entities: Note.self, configuration: configuration)
            try await AppStateReactor(dal, flushSignals: [.sigusr1]).run {
                var commits = dal.changes(of: Note.self).makeAsyncIterator()
                for _ in 0..<100 {
                    try await dal.write(acknowledging: .merged) { try Note.create(in: $0) }
                }
                kill(getpid(), SIGUSR1)
                _ = try await commits.next()
                kill(getpid(), SIGKILL)
                await Latch().waitToTheEnd()
            }
        }
        #expect(try await storedNotes(in: directory) == 100)
    }

    @Test func `a second signal hurries every store of a group`() async throws {
        let directory = try TemporaryDirectory()
        await #expect(processExitsWith: .success) { [path = directory.path as String] in
            var configuration = Configuration()
            configuration.shutdownDeadline = .seconds(3_600)
            configuration.shutdownGrace.closures = .seconds(600)
            let first = try await DataAccessLayer.open(
                .sqlite(path + "/test.sqlite"), entities: Note.self, configuration: configuration)
            let last = try await DataAccessLayer.open(
                .inMemory, entities: Note.self, configuration: configuration)
            for dal in [first, last] {
                let began = Latch()
                // Holds the permit until its queries are refused.
                dal.write({ context -> Void in
                    began.open()
                    while true { _ = try Note.count(in: context) }
                }) { _ in }
                await began.waitToTheEnd()
            }
            let group = ServiceGroup(
                services: [first, last, Hurry()], logger: Logger(label: "group"))
            try await group.runUntilTerminated(hurrying: first, last, whenBlocked: { _ in })
            for dal in [first, last] { #expect(await dal.shutDown().isClosed) }
        }
        #expect(try await storedNotes(in: directory) == 0)
    }

    @Test func `a second signal refuses what has not begun`() async throws {
        let directory = try TemporaryDirectory()
        await #expect(processExitsWith: .success) { [path = directory.path as String] in
            var configuration = Configuration()
            configuration.shutdownDeadline = .seconds(600)
            configuration.shutdownGrace.closures = .seconds(600)
            let dal = try await DataAccessLayer.open(
                .sqlite(path + "/test.sqlite"), entities: Note.self, configuration: configuration)
            let ends = Ends()
            let report = try await dal.runUntilTerminated {
                // Holds the permit until its queries are refused.
                dal.write({ context -> Void in
                    while true { _ = try Note.count(in: context) }
                }) { _ in ends.note(isDone: false) }
                dal.write({ _ -> Void in }) { end in
                    ends.note(isDone: (try? end.get()) != nil)
                }
                kill(getpid(), SIGTERM)
                while (try? await dal.read({ _ in })) != nil { await Task.yield() }
                kill(getpid(), SIGTERM)
                for await _ in AsyncStream<Never>.makeStream().stream {}
            }
            #expect(report.stores[0].isClosed, "\(report)")
            #expect(report.stores[0].refused == 1)
            await ends.wait(for: 2)
            #expect(ends.done == 0)
        }
        #expect(try await storedNotes(in: directory) == 0)
    }
}

/// Sends two signals, the second when the first was noticed.
private struct Hurry: Service {
    func run() async throws {
        kill(getpid(), SIGTERM)
        try await gracefulShutdown()
        kill(getpid(), SIGTERM)
    }
}

/// Holds the thread.
private func blockForEver() { DispatchSemaphore(value: 0).wait() }

/// What has become of calls, noted from any thread.
private final class Ends: Sendable {
    private let counts = Lock((done: 0, all: 0))

    /// Notes one, and returns how many there are.
    @discardableResult
    func note(isDone: Bool) -> Int {
        counts.withLock { counts in
            counts.all += 1
            if isDone { counts.done += 1 }
            return counts.all
        }
    }

    var done: Int { counts.withLock { $0.done } }

    func wait(for number: Int) async {
        while counts.withLock({ $0.all }) < number { await Task.yield() }
    }
}
#endif
#endif
