import ReliabilityKit
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosSQLite

/// Random histories: the rows before and the recorded changes give the rows afterwards.
@Suite struct RandomChangesTests {
    /// How many histories there are, on how many stores.
    private static let (storeCount, historiesPerStore) = (Rounds.of(10, least: 4), 60)

    @Test(.seeded) func `recorded changes lead from the rows before to those afterwards`() throws {
        var random = SeededNumbers(seed: Seed.current)
        var recorded: [StoreRowChange.Kind: Int] = [:]
        for _ in 0..<Self.storeCount {
            try StoreKind.memory.withStore { store in
                var history = RandomChanges(store, seed: random.next())
                for _ in 0..<Self.historiesPerStore {
                    let record = try history.run()
                    for change in record.changes { recorded[change.kind, default: 0] += 1 }
                }
            }
        }
        for kind in [StoreRowChange.Kind.insert, .update, .delete] {
            #expect(recorded[kind, default: 0] > 40 * Self.storeCount, "\(kind)")
        }
    }
}
