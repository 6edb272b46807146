import Skiathos
import SkiathosTesting
import Testing

@testable import ReliabilityKit

/// A check that finds nothing in a broken store finds nothing in a sound one.
struct PlantedBugTests {
    @Test(arguments: PlantedBug.allCases)
    func `a history finds a store's mistake`(_ bug: PlantedBug) async throws {
        var found: Set<HistoryViolation.Rule> = []
        for seed in UInt64(1)...40 {
            let directory = try TemporaryDirectory()
            let run = HistoryRun(
                seed: seed, source: .sqlite(directory.file("test.sqlite")), tampering: bug.tampering
            )
            found.formUnion(try await run.perform().violations.map(\.rule))
            if !found.isDisjoint(with: bug.broken) { return }
        }
        Issue.record("\(bug.rawValue): 40 histories found only \(found.map(\.rawValue)).")
    }

    @Test func `a history without load is a failure`() async throws {
        var run = HistoryRun(seed: 1, source: .inMemory)
        run.operations = 13
        let result = try await run.perform()
        #expect(result.violations.isEmpty, "\(result)")
        #expect(result.operations == 104)
        #expect(
            HistoryResult.shortfall(of: 480, operations: 479, done: 470, reads: 200, writes: 200)
                != nil)
        #expect(
            HistoryResult.shortfall(of: 480, operations: 480, done: 300, reads: 200, writes: 200)
                != nil)
        #expect(
            HistoryResult.shortfall(of: 480, operations: 480, done: 470, reads: 5, writes: 200)
                != nil)
        #expect(
            HistoryResult.shortfall(of: 480, operations: 480, done: 470, reads: 200, writes: 5)
                != nil)
        #expect(
            HistoryResult.shortfall(of: 480, operations: 480, done: 470, reads: 200, writes: 200)
                == nil)
    }

    @Test func `a seed decides the operations`() {
        let plan = HistoryPlan(seed: 7, contexts: 8, operations: 60)
        #expect(plan == HistoryPlan(seed: 7, contexts: 8, operations: 60))
        #expect(plan != HistoryPlan(seed: 8, contexts: 8, operations: 60))
    }
}
