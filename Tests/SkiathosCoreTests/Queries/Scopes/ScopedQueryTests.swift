import QueryTestKit
import TestSupport
import Testing

/// In closures inside of closures, a column belongs to the row of the closure that has got it.
///
/// ```sh
/// make soak ARGUMENTS="scoped-queries --rounds 10 --minutes 60"     # a million of them
/// ```
struct ScopedQueryTests {
    private static let queries = Rounds.of(1_500)

    @Test(arguments: Seed.each(1, 2))
    func `random queries of several closures find and change what plain Swift does`(
        _ seed: UInt64
    ) async throws {
        try await withSeed(seed) {
            var run = ScopedRun(seed: seed)
            run.queries = Self.queries
            let result = try await run.run()
            #expect(
                result.differing == 0,
                "\(result.differing) of \(result.queries): \(result.problems.first ?? "")")
            #expect(result.tooDeep < max(10, result.queries / 100))
        }
    }

    /// What fails here as well is no question of whose columns they are.
    @Test(arguments: Seed.each(1, 2))
    func `closures without columns of outer rows find and change what plain Swift does`(
        _ seed: UInt64
    ) async throws {
        try await withSeed(seed) {
            var run = ScopedRun(seed: seed)
            run.queries = Rounds.of(250)
            run.hasOuterColumns = false
            let result = try await run.run()
            #expect(result.problems.isEmpty, "\(result.problems.first ?? "")")
        }
    }
}
