import Foundation
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosSQLite

@Suite(.seeded) struct InterruptionTests {
    /// From which generation to which.
    static let matrix: [(from: Generation, to: Generation)] = [
        (.first, .second), (.second, .third), (.first, .third),
    ]

    @Test(arguments: matrix.indices)
    func `a migration that is interrupted at any statement leaves the old store or the new one`(
        number: Int
    ) throws {
        let (from, to) = Self.matrix[number]
        let base = try MigrationHarness.base(from)
        let old = try MigrationHarness(base).dump()
        let whole = try MigrationHarness(base)
        let counter = StatementCounter()
        var opener = try whole.opener(to)
        opener.onMigrationStatement = counter.witness
        try whole.open(opener)
        let new = try whole.dump()
        #expect(new != old)
        var outcomes = (old: 0, new: 0)
        let (last, step) = (counter.statements - 1, Rounds.step(4))
        let first = Int(Seed.current % UInt64(min(step, last)))
        let points = Array(stride(from: first, to: last, by: step)) + [last]
        for point in points {
            let harness = try MigrationHarness(base)
            let interruption = StatementCounter(interruptingAt: point)
            var opener = try harness.opener(to)
            opener.onMigrationStatement = interruption.witness
            #expect(throws: StatementCounter.Interruption.self) { _ = try opener.open() }
            let left = try harness.dump()
            if left == new {
                outcomes.new += 1
            } else {
                outcomes.old += 1
                try #require(left == old, "after \(point) statements")
                if outcomes.old % 8 == 1 {
                    // A machine without the new program continues with the old one.
                    try harness.open(from)
                }
            }
            try harness.touch(harness.opener(to))
            let again = try harness.dump()
            try #require(again == new, "after \(point) statements")
        }
        #expect(outcomes.old == points.count - 1)
        #expect(outcomes.new == 1)
        print("\(from) → \(to): \(points.count) of \(counter.statements) points")
    }

    @Test func `an older store without bookkeeping is migrated, whatever interrupts it`() throws {
        let first = try MigrationHarness(MigrationHarness.base(.first))
        try first.execute(["DROP TABLE skiathos_migration", "DROP TABLE skiathos_layout"])
        let base = try first.directory.bytes()
        let old = try first.dump()
        for generation in [Generation.first, .third] {
            let whole = try MigrationHarness(base)
            let counter = StatementCounter()
            var opener = try whole.opener(generation)
            opener.onMigrationStatement = counter.witness
            try whole.open(opener)
            let new = try whole.dump()
            for point in stride(from: 0, to: counter.statements - 1, by: 11) {
                let harness = try MigrationHarness(base)
                var opener = try harness.opener(generation)
                opener.onMigrationStatement = StatementCounter(interruptingAt: point).witness
                #expect(throws: StatementCounter.Interruption.self) { _ = try opener.open() }
                let left = try harness.dump()
                #expect(left == old)
                try harness.touch(harness.opener(generation))
                let again = try harness.dump()
                #expect(again == new)
            }
        }
    }
}
