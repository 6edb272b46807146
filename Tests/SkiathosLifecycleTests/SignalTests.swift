#if Lifecycle
import Dispatch
import Foundation
import Locks
import Skiathos
import SkiathosLifecycle
import SkiathosStore
import SkiathosTesting
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc

/// Signals that are sent to a process of its own.
@Suite(.serialized, .generousTimeLimit) struct SignalTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal under load ends the process in order, and every caller learns its outcome`(
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
            // Every write that was not done was reported as such, and all others exist.
            let lines = "\(ends.done)"
            try lines.write(toFile: path + "/done", atomically: true, encoding: .utf8)
        }
        let done = try String(contentsOfFile: directory.file("done"), encoding: .utf8)
        #expect(try await storedNotes(in: directory) == Int(done))
        #expect(Int(done) ?? 0 >= 2_500)
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
                _exit(report.isDurable && !report.isClosed && report.unfinished == count ? 7 : 8)
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
            #expect(report.isClosed, "\(report)")
            #expect(report.refused == 1)
            await ends.wait(for: 2)
            #expect(ends.done == 0)
        }
        #expect(try await storedNotes(in: directory) == 0)
    }
}

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
