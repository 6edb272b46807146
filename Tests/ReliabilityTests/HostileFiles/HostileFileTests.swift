import ReliabilityKit
import TestSupport
import Testing

@Suite struct HostileFileTests {
    @Test(.generousTimeLimit, arguments: Seed.each(1, 2))
    func `mutated files give an error or a store that works`(seed: UInt64) async throws {
        try await withSeed(seed) { try check(seed) }
    }

    private func check(_ seed: UInt64) throws {
        var run = HostileRun(seed: seed)
        run.mutants = Load.mutants
        let result = try run.run()
        #expect(result.problems == [])
        #expect(result.mutants == run.mutants)
        // Otherwise the mutants would show nothing but the first check.
        #expect(result.opened > run.mutants / 10, "\(result)")
        #expect(
            result.sound > 0 && result.written > 0 && result.sound < result.mutants, "\(result)")
    }
}
