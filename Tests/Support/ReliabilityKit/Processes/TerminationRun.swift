import SkiathosTesting
import TestTools

#if canImport(Glibc)
/// Children that get a stop signal under load, repeatedly.
package struct TerminationRun: Sendable {
    /// What decides about everything but the moment.
    package var seed: UInt64
    /// How many children there are.
    package var cycles = 30
    /// How many run at the same time.
    package var lanes = 2
    /// How many writes wait when the signal comes.
    package var queued = 10_000
    /// The signal.
    package var signal: Int32

    package init(seed: UInt64, signal: Int32) {
        self.seed = seed
        self.signal = signal
    }

    /// What has come of a run.
    package struct Result: Sendable {
        /// How many writes were acknowledged.
        package var done = 0
        /// How many writes were reported as not done.
        package var refused = 0
        /// The times from the signal to the end of the process, sorted.
        package var durations: [Duration] = []
        /// What is wrong, in sentences.
        package var problems: [String] = []

        /// The shortest, the middle and the longest time.
        package var figures: String {
            guard let first = durations.first, let last = durations.last else { return "none" }
            return "\(first), \(durations[durations.count / 2]), \(last)"
        }
    }

    /// Stops all children.
    package func run() async throws -> Result {
        var random = SeededNumbers(seed: seed)
        let seeds = (0..<cycles).map { _ in random.next() }
        return try await withThrowingTaskGroup(of: Trial.self) { group in
            var result = Result()
            for (index, seed) in seeds.enumerated() {
                if index >= lanes, let trial = try await group.next() { add(trial, &result) }
                group.addTask { try await one(seed) }
            }
            for try await trial in group { add(trial, &result) }
            result.durations.sort()
            return result
        }
    }

    private func add(_ trial: Trial, _ result: inout Result) {
        result.done += trial.testimony.numbers.count
        result.refused += trial.testimony.refusals
        result.durations.append(trial.duration)
        result.problems += trial.problems
        if trial.end != .exited(0) { result.problems.append("It has ended as \(trial.end).") }
        if trial.testimony.numbers.count < queued {
            result.problems.append("Only \(trial.testimony.numbers.count) writes were done.")
        }
    }

    private func one(_ seed: UInt64) async throws -> Trial {
        let directory = try TemporaryDirectory()
        var plan = ChildPlan(directory: directory.path, ledger: seed, seed: seed)
        plan.host = .reactor
        plan.trapsFirst = true
        // Nothing of the queue can be done before the signal has come.
        plan.turn = .untilSignal
        plan.queued = queued
        plan.isLight = true
        let trial = try await Trial(plan) { child in
            await child.wait(for: .queued)
            return child.send(signal)
        }
        withExtendedLifetime(directory) {}
        return trial
    }
}
#endif
