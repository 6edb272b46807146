package import Testing

/// The numbers that decide everything random in a test, and how a failure says so.
///
/// A test with a random seed has the trait `.seeded`, and asks for the seed by its name:
///
/// ```swift
/// @Test(.seeded) func `what was acknowledged survives`() async throws {
///     let result = try await KillRun(seed: Seed.current).run()
/// ```
///
/// A test with fixed seeds has them as arguments, and tells its failures which one it is:
///
/// ```swift
/// @Test(arguments: Seed.each(1, 2, 3))
/// func `pages make up the whole`(_ seed: UInt64) async throws {
///     try await withSeed(seed) { … }
/// ```
///
/// Every failure of either ends with the command that repeats it. `RANDOM_SEED` replaces the seeds of
/// both.
package enum Seed {
    /// The variable of the environment that sets the seed.
    static let variable = "RANDOM_SEED"

    /// The seed that the environment sets; `nil` if it sets none.
    package static let chosen: UInt64? = setting(variable)

    /// The seed of the test that runs, which has the trait `.seeded`.
    package static var current: UInt64 {
        guard let seed = scoped else {
            preconditionFailure(
                "Seed.current was used in a test without a seed; give it the trait .seeded.")
        }
        return seed
    }

    @TaskLocal fileprivate static var scoped: UInt64?

    /// The arguments of a test: these seeds, or the one that the environment sets.
    package static func each(_ seeds: UInt64...) -> [UInt64] { chosen.map { [$0] } ?? seeds }

    /// The command that repeats a test with a seed.
    static func command(repeating test: Test.ID?, with seed: UInt64) -> String {
        let suite = test.map { test in
            ([test.moduleName] + test.nameComponents.prefix(1)).joined(separator: ".")
        }
        return "\(variable)=\(seed) make test FILTER=\(suite ?? "<the suite>")"
    }
}

/// Adds the command that repeats them to failures inside the closure, which is a test's whole body.
///
/// - Parameters:
///   - seed: What decides everything random in the closure; it is `Seed.current` there.
///   - body: The test. What it throws is recorded as its failure.
package func withSeed(
    _ seed: UInt64, _ body: @Sendable () async throws -> Void
) async throws {
    guard let test = Test.current else {
        preconditionFailure("withSeed was called outside of a test; call it in a test's body.")
    }
    try await Seeded.provideScope(seed, test, Test.Case.current, body)
}

/// Gives a test a seed, which is another one each time, and adds the command that repeats it to the
/// test's failures.
package struct Seeded: TestTrait, SuiteTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let seed = Seed.chosen ?? .random(in: 1 ... .max)
        // A test that crashes or hangs reports no failure of its own.
        print("\(Seed.command(repeating: test.id, with: seed)) repeats \(test.name)")
        try await Self.provideScope(seed, test, testCase, function)
    }

    fileprivate static func provideScope(
        _ seed: UInt64, _ test: Test, _ testCase: Test.Case?,
        _ function: @Sendable () async throws -> Void
    ) async throws {
        let command = Seed.command(repeating: test.id, with: seed)
        let naming: IssueHandlingTrait = .compactMapIssues { issue in
            var issue = issue
            issue.comments.append("Repeat it with: \(command)")
            return issue
        }
        try await naming.provideScope(for: test, testCase: testCase) {
            do {
                try await Seed.$scoped.withValue(seed) { try await function() }
            } catch let error as ExpectationFailedError {
                // Recorded by #require, with the command.
                throw error
            } catch {
                // Recorded here, since what leaves this scope is recorded without the command.
                Issue.record(error, sourceLocation: test.sourceLocation)
            }
        }
    }
}

extension Trait where Self == Seeded {
    /// Gives the test a random seed, which its failures name.
    package static var seeded: Self { Seeded() }
}
