import ArgumentParser
import Foundation
import ReliabilityKit

/// Runs the reliability tests for as long as one likes.
@main
struct Soak: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak",
        abstract: "Looks for lost, torn and wrongly acknowledged writes until the time is over.",
        discussion: """
            Each round prints a line of JSON with its seed and its figures; progress and problems go \
            to the standard error. The exit code is 1 if any round had a problem, or less load than \
            it takes to show anything. A round is repeated by its goal and seed, with --rounds 1.
            """)

    @Argument(help: "What to do, by turns.")
    var goals: [Goal] = Goal.allCases

    @Option(help: "The seed of the first round; each later one takes the next number.")
    var seed: UInt64 = .random(in: 0...UInt64(UInt32.max))

    @Option(help: "After how many minutes no other round begins.")
    var minutes: Double = 1

    @Option(help: "After how many rounds to stop, if the time is not over before.")
    var rounds: Int?

    func validate() throws {
        guard minutes > 0, rounds ?? 1 > 0 else {
            throw ValidationError("--minutes and --rounds must be more than 0.")
        }
    }

    func run() async throws {
        let end = ContinuousClock.now + .seconds(minutes * 60)
        var problems = 0
        var round = 0
        while ContinuousClock.now < end, round < rounds ?? .max {
            let goal = goals[round % goals.count]
            let report = try await Round(goal: goal, seed: seed &+ UInt64(round)).report()
            // Not by print, which keeps lines back in a pipe.
            FileHandle.standardOutput.write(Data((report.line + "\n").utf8))
            for problem in report.problems { log("\(goal), seed \(report.seed): \(problem)") }
            problems += report.problems.count
            round += 1
            log("\(round) rounds, \(problems) problems, \(remaining(until: end)) min left")
        }
        if problems > 0 { throw ExitCode.failure }
    }

    private func remaining(until end: ContinuousClock.Instant) -> Int {
        max(0, Int(ContinuousClock.now.duration(to: end).components.seconds / 60))
    }

    private func log(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}

/// What can be looked for.
enum Goal: String, CaseIterable, ExpressibleByArgument {
    /// Losses of power at any moment.
    case powerCuts = "power-cuts"
    /// The same on a disk that fails now and then.
    case faultyPowerCuts = "faulty-power-cuts"
    /// Each file operation fails in turn.
    case faults
    /// Each call of the operating system fails in turn.
    case systemCalls = "system-calls"
    /// The WAL of a store that was not closed is damaged.
    case walDamage = "wal-damage"
    /// Random histories of concurrent calls.
    case histories
    /// Random writes beside observed queries.
    case liveQueries = "live-queries"
    /// Random queries of several closures.
    case scopedQueries = "scoped-queries"
    /// Processes that are killed.
    case kills
    /// Processes that get a stop signal.
    case terminations
    /// Files that were mutated at random.
    case hostileFiles = "hostile-files"
}
