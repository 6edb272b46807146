import SkiathosLocks
import Synchronization
import TestSupport
import Testing

/// Failures of random tests say how to repeat them.
@Suite struct SeedTests {
    private struct Refused: Error {}

    @Test func `a failure ends with the command that repeats it, also an error that is thrown`()
        async throws
    {
        let comments = try await self.comments {
            try await withSeed(7) {
                #expect(Seed.current == 8, "why")
                throw Refused()
            }
        }
        let command = "Repeat it with: RANDOM_SEED=7 make test FILTER=ReliabilityTests.SeedTests"
        #expect(comments == [["why", command], [command]])
    }

    @Test func `an expectation that ends the test is reported once`() async throws {
        let comments = try await self.comments {
            try? await withSeed(7) { try #require(Seed.current == 8) }
        }
        #expect(comments.count == 1)
    }

    /// The comments of each failure of a closure, none of which counts.
    private func comments(
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws -> [[String]] {
        let found = Lock<[[String]]>([])
        let catching: IssueHandlingTrait = .compactMapIssues { issue in
            found.withLock { $0.append(issue.comments.map(\.rawValue)) }
            return nil
        }
        let test = try #require(Test.current)
        try await catching.provideScope(for: test, testCase: .current) { try await body() }
        return found.withLock { $0 }
    }
}
