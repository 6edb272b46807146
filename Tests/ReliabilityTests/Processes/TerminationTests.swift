#if Lifecycle
import Foundation
import ReliabilityKit
import SkiathosTesting
import TestSupport
import Testing

#if canImport(Glibc)
/// Processes that are terminated under load: every caller gets the outcome of its write, and
/// committed writes exist.
@Suite(.seeded, .serialized, .generousTimeLimit) struct TerminationTests {
    @Test func `SIGTERM ends a process in order while thousands of writes wait`() async throws {
        var run = TerminationRun(seed: Seed.current, signal: SIGTERM)
        run.cycles = Load.terminations
        run.queued = Load.queued
        let result = try await run.run()
        #expect(result.problems == [])
        #expect(result.durations.count == Load.terminations)
        // For the record; how fast a machine is, is not tested.
        print(
            "\(result.done) writes done, \(result.refused) refused; from the signal to the end: \(result.figures)"
        )
    }

    @Test func `SIGINT ends a process in order while thousands of writes wait`() async throws {
        var run = TerminationRun(seed: Seed.current, signal: SIGINT)
        run.cycles = 2
        run.queued = Load.queued
        let result = try await run.run()
        #expect(result.problems == [])
    }

    @Test(arguments: [ChildPlan.Host.reactor, .group])
    func `a second SIGTERM refuses what has not begun, and the process ends in order`(
        host: ChildPlan.Host
    ) async throws {
        try await withPlan { plan in
            plan.host = host
            plan.turn = .querying
            plan.queued = Load.queued
            let trial = try await Trial(plan) { child in
                await child.wait(for: .queued)
                child.send(SIGTERM)
                await child.wait(for: .stopping)
                return child.send(SIGTERM)
            }
            #expect(trial.end == .exited(0))
            #expect(trial.problems == [])
            #expect(trial.testimony.refused["closed", default: 0] >= Load.queued)
            guard
                case .report(let isClosed, let isDurable, let refused, let unfinished) =
                    trial.testimony.report
            else {
                Issue.record("no report")
                return
            }
            #expect(isClosed)
            #expect(isDurable)
            #expect(unfinished == 0)
            #expect(refused >= Load.queued)
        }
    }

    @Test
    func `a closure that outlasts the deadline is abandoned, and the store holds what was merged`()
        async throws
    {
        try await withPlan { plan in
            plan.writers = 0
            // What is there before.
            plan.host = .reactor
            plan.turn = .untilSignal
            plan.trapsFirst = true
            plan.queued = 100
            let first = try await Trial(plan) { child in
                await child.wait(for: .queued)
                return child.send(SIGTERM)
            }
            #expect(first.problems == [])
            plan.turn = .endless
            plan.deadline = 500
            let trial = try await Trial(plan, before: first.number) { child in
                await child.wait(for: .queued)
                return child.send(SIGTERM)
            }
            #expect(trial.end == .exited(0))
            #expect(trial.problems == [])
            #expect(
                trial.testimony.report
                    == .report(isClosed: false, isDurable: true, refused: 100, unfinished: 1))
            #expect(trial.duration >= .milliseconds(500))
            // The deadline, and twice a quarter of a second. For the record, as above; a process that
            // does not keep to its deadline would wait for the closure, and be killed.
            print("a closure that does not end was left behind after \(trial.duration)")
        }
    }

    @Test(arguments: Load.stopCases)
    func `one signal or two end a process, whatever its store is doing`(
        stop: StopCase
    ) async throws {
        let problems = try await stop.run(seed: Seed.current)
        #expect(problems == [])
    }

    @Test func `a group that cancels its services still has its store closed in order`()
        async throws
    {
        try await withPlan { plan in
            plan.host = .hangingGroup
            plan.isLight = true
            plan.turn = .untilSignal
            plan.trapsFirst = true
            plan.queued = Load.queued
            let trial = try await Trial(plan) { child in
                await child.wait(for: .queued)
                return child.send(SIGTERM)
            }
            #expect(trial.end == .exited(0))
            #expect(trial.problems == [])
            #expect(trial.testimony.numbers.count >= Load.queued)
            guard
                case .report(isClosed: true, isDurable: true, refused: 0, unfinished: 0) =
                    trial.testimony.report
            else {
                Issue.record("\(String(describing: trial.testimony.report))")
                return
            }
        }
    }
}

/// Makes a plan for a new store, which the seed of the test decides.
func withPlan(_ body: (inout ChildPlan) async throws -> Void) async throws {
    let directory = try TemporaryDirectory()
    let seed = Seed.current
    var plan = ChildPlan(directory: directory.path, ledger: seed, seed: seed)
    try await body(&plan)
    withExtendedLifetime(directory) {}
}
#endif
#endif
