#if Lifecycle
import Foundation
import ReliabilityKit
import TestSupport
import Testing

#if canImport(Glibc)
/// Signals that come while a store is opened, recovered, or checkpointed.
@Suite(.seeded, .serialized, .generousTimeLimit) struct EarlySignalTests {
    /// Where a process is held until the signal has come.
    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let hold: ChildPlan.Hold

        init(_ description: String, _ hold: ChildPlan.Hold) {
            testDescription = description
            self.hold = hold
        }

        /// Before several operations of opening a store that has a WAL.
        static let recovery = Rounds.some(of: [
            Place("the first lock", ChildPlan.Hold(.lock)),
            Place("reading the main file", ChildPlan.Hold(.read, .main, after: 1)),
            Place("mapping the shared memory", ChildPlan.Hold(.sharedMemory)),
            Place("reading the WAL", ChildPlan.Hold(.read, .wal)),
            Place("reading more of the WAL", ChildPlan.Hold(.read, .wal, after: 20)),
            Place("writing the WAL", ChildPlan.Hold(.write, .wal)),
            Place("syncing the WAL", ChildPlan.Hold(.sync, .wal)),
        ])
    }

    @Test func `a signal that comes before the store is opened has it closed at once`()
        async throws
    {
        try await withPlan { plan in
            plan.host = .reactor
            plan.trapsFirst = true
            plan.opensLate = true
            try await stopEarly(plan, at: .trapped)
        }
    }

    @Test func `a signal that comes just after the opening has the store closed at once`()
        async throws
    {
        try await withPlan { plan in
            plan.host = .reactor
            plan.trapsFirst = true
            try await stopEarly(plan, at: .open)
        }
    }

    @Test func `a signal at any other moment of the start leaves a sound store`()
        async throws
    {
        var random = SeededNumbers(seed: Seed.current)
        for _ in 0..<Load.starts {
            let moment = Duration.microseconds(random.below(80_000))
            try await withPlan { plan in
                plan.host = .reactor
                let trial = try await Trial(plan) { child in
                    // The moment is the point of it; nothing is waited for.
                    try? await Task.sleep(for: moment)
                    return child.send(SIGTERM)
                }
                // The signal is not trapped at first.
                #expect([.exited(0), .killed(SIGTERM)].contains(trial.end))
                #expect(trial.problems == [])
            }
        }
    }

    @Test(arguments: Place.recovery)
    func `a signal during the recovery of a WAL has the store closed afterwards`(
        place: Place
    ) async throws {
        try await withPlan { plan in
            let before = try await Self.leaveWAL(plan)
            plan.host = .reactor
            plan.trapsFirst = true
            plan.hold = place.hold
            let trial = try await Trial(plan, before: before) { child in
                await child.wait(for: .held)
                return child.send(SIGTERM)
            }
            #expect(trial.testimony.points.contains(.held))
            #expect(trial.end == .exited(0))
            #expect(trial.problems == [])
        }
    }

    @Test(arguments: Place.recovery)
    func `a signal that is not trapped kills the recovery, which the next opening repeats`(
        place: Place
    ) async throws {
        try await withPlan { plan in
            let before = try await Self.leaveWAL(plan)
            plan.host = .reactor
            plan.hold = place.hold
            let trial = try await Trial(plan, before: before) { child in
                await child.wait(for: .held)
                return child.send(SIGTERM)
            }
            #expect(!trial.testimony.points.contains(.open))
            #expect(trial.end == .killed(SIGTERM))
            #expect(trial.problems == [])
        }
    }

    /// A checkpoint of a WAL that is allowed one byte is always overdue, so that a write makes it on
    /// its own thread.
    @Test(arguments: [50_000, 1])
    func `a signal during a checkpoint lets the checkpoint end`(checkpointSize: Int) async throws {
        try await withPlan { plan in
            plan.host = .reactor
            plan.trapsFirst = true
            plan.checkpointSize = checkpointSize
            // The first two are those of making the store.
            plan.hold = ChildPlan.Hold(.sync, .main, after: 2)
            let trial = try await Trial(plan) { child in
                await child.wait(for: .held)
                return child.send(SIGTERM)
            }
            #expect(trial.testimony.points.isSuperset(of: [.open, .held]))
            #expect(trial.end == .exited(0))
            #expect(trial.problems == [])
            #expect(trial.number > 0)
        }
    }

    private func stopEarly(_ plan: ChildPlan, at point: ProtocolLine.Point) async throws {
        let trial = try await Trial(plan) { child in
            await child.wait(for: point)
            return child.send(SIGTERM)
        }
        #expect(trial.end == .exited(0))
        #expect(trial.problems == [])
        guard
            case .report(isClosed: true, isDurable: true, _, unfinished: 0) =
                trial.testimony.report
        else {
            Issue.record("\(String(describing: trial.testimony.report))")
            return
        }
    }

    /// Kills a process when its store has a WAL that is worth recovering, and returns the number
    /// of the last write that was acknowledged.
    private static func leaveWAL(_ plan: ChildPlan) async throws -> Int {
        var plan = plan
        plan.checkpointSize = 1 << 30
        let child = try ChildProcess(plan)
        await child.wait { $0.promises >= 300 }
        child.send(SIGKILL)
        let (end, _) = await child.end()
        #expect(end == .killed(SIGKILL))
        return child.testimony.promise
    }
}
#endif
#endif
