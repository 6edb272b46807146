import ReliabilityKit
import TestSupport
import Testing

/// Losses of power are simulated below SQLite; what they leave must hold everything durable.
@Suite(.serialized, .generousTimeLimit) struct PowerCutTests {
    @Test(.seeded)
    func `whatever a loss of power leaves holds what was durable, and no half writes`()
        async throws
    {
        var run = PowerCutRun(seed: Seed.current)
        run.lives = Load.lives
        run.images = Load.images
        let result = try await run.run()
        #expect(result.problems == [])
        // Below this load it would have shown nothing.
        #expect(result.images == Load.images)
        #expect(result.events >= Load.lives * 1_000)
        #expect(result.durableWrites >= Load.lives * 30)
        #expect(result.mainSyncs >= Load.lives * 5)
        #expect(result.opened >= Load.lives * 5)
    }

    @Test(.seeded)
    func `a store holds what was durable after failed syncs and writes and a loss of power`()
        async throws
    {
        var faults = 0
        for number in 0..<Load.faultyRuns {
            var run = PowerCutRun(seed: Seed.current &+ UInt64(number))
            run.images = Load.faultyImages / Load.faultyRuns
            run.fault = PowerCutRun.anyFault
            let result = try await run.run()
            #expect(result.problems == [], "run \(number)")
            faults += result.faults
        }
        #expect(faults >= Load.faultyRuns * 2)
    }

    /// Pages that a failed sync of the main file has lost are not restored by a later sync.
    ///
    /// While another connection is attached, the mark of what was checkpointed outlives the writer.
    @Test(.seeded)
    func `a store that was opened again after a failed checkpoint loses nothing durable`()
        async throws
    {
        var faults = 0
        for number in 0..<Load.faultyRuns {
            var run = PowerCutRun(seed: Seed.current &+ UInt64(number))
            run.images = Load.faultyImages / Load.faultyRuns
            run.hasOnlooker = true
            run.fault = PowerCutRun.checkpointFault
            let result = try await run.run()
            #expect(result.problems == [], "run \(number)")
            faults += result.faults
        }
        #expect(faults >= Load.faultyRuns * 2)
    }

    @Test(
        .seeded, .enabled(if: !Rounds.isSanitized, "A sanitizer has nothing to find here."),
        arguments: PlantedDiskBug.allCases)
    func `a planted bug is found`(_ bug: PlantedDiskBug) async throws {
        for number in 0..<20 as Range<UInt64> {
            var run = PowerCutRun(seed: Seed.current &+ number)
            run.images = 200
            bug.plant(in: &run)
            if try await !run.run().problems.isEmpty { return }
        }
        Issue.record("4,000 images have not shown \(bug.rawValue).")
    }
}
