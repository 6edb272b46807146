package import Skiathos
import SkiathosTesting
import TestTools

/// Random histories of writes beside random observations: every value that comes is the result of its
/// query at a version no older than the one before, none comes twice, and the newest always comes.
package struct LiveRun: Sendable {
    /// The seed that decides about everything but the interleaving.
    package let seed: UInt64
    /// How many histories there are.
    package var histories = 100
    /// How many writes each has.
    package var writes = 8
    /// How many things each observes at a time.
    package var observations = 4
    /// Puts another store in the place of the one that is opened, to show that its mistakes are found.
    package var change: (@Sendable (StoreSource) -> StoreSource)?

    /// What the histories have come to.
    package struct Result: Sendable {
        package var histories = 0
        /// How many writes were committed.
        package var commits = 0
        /// What was wrong, with the seed of its history.
        package var problems: [String] = []
    }

    package init(seed: UInt64) { self.seed = seed }

    /// Runs the histories, until one has a problem.
    package func run() async throws -> Result {
        var random = SeededNumbers(seed: seed)
        var result = Result()
        while result.histories < histories, result.problems.isEmpty {
            let seed = random.next()
            let (commits, problems) = try await history(seed)
            result.histories += 1
            result.commits += commits
            result.problems += problems.map { "History \(seed): \($0)" }
        }
        return result
    }

    /// One history, in memory or, one time in four, in a file.
    private func history(_ seed: UInt64) async throws -> (commits: Int, problems: [String]) {
        var random = SeededNumbers(seed: seed)
        let directory = random.happens(25) ? try TemporaryDirectory() : nil
        let source = directory.map { StoreSource.sqlite($0.file("live.sqlite")) } ?? .inMemory
        var configuration = Configuration()
        configuration.errorHandler = { _ in }
        if random.happens(50) { configuration.commitInterval = .seconds(3600) }
        let dal = try await DataAccessLayer.open(
            change.map { $0(source) } ?? source, entities: Lane.self, Card.self,
            configuration: configuration)
        let outcome: (Int, [String])
        do {
            outcome = try await history(of: dal, &random)
        } catch {
            try await dal.close()
            throw error
        }
        try await dal.close()
        withExtendedLifetime(directory) {}
        return outcome
    }

    private func history(
        of dal: DataAccessLayer, _ random: inout SeededNumbers
    ) async throws -> (commits: Int, problems: [String]) {
        var commits = 0
        var problems: [String] = []
        for _ in 0..<random.below(4) { commits += try await write(to: dal, &random) }
        try await dal.flush(to: .committed)
        var probes: [LiveProbe] = []
        for _ in 0..<observations {
            probes.append(try await begin(.random(of: dal, &random), dal))
        }
        for _ in 0..<writes where problems.isEmpty {
            commits += try await write(to: dal, &random)
            // Observers see what is committed; in memory, reads see what is merged, too.
            try await dal.flush(to: .committed)
            try await dal.read { [probes] context in
                for probe in probes { try probe.expect(context) }
            }
            // Now and then several versions come before an observer is waited for.
            for probe in probes where random.happens(60) { problems += await probe.settle() }
            if random.happens(10) {
                let place = random.below(probes.count)
                problems += await probes[place].end()
                probes[place] = try await begin(.random(of: dal, &random), dal)
            }
        }
        for probe in probes { problems += await probe.settle() }
        for probe in probes { problems += await probe.end() }
        return (commits, problems)
    }

    /// Called when nothing is merged that is not committed.
    private func begin(_ probe: LiveProbe, _ dal: DataAccessLayer) async throws -> LiveProbe {
        try await dal.read { try probe.expect($0) }
        return probe
    }

    /// Runs one write; returns how many were committed.
    private func write(to dal: DataAccessLayer, _ random: inout SeededNumbers) async throws -> Int {
        if random.happens(3) {
            try await dal.reset()
            return 1
        }
        let levels: [Acknowledgement] = [.merged, .committed, .durable]
        let seed = random.next()
        do {
            try await dal.write(acknowledging: levels[random.below(3)]) { context in
                var writes = LiveWrites(seed: seed)
                try writes.change(context)
            }
            return 1
        } catch is LiveWrites.Refused {
            return 0
        } catch let error as StoreError where error.code == .uniqueViolation {
            // Two lanes with one name.
            return 0
        }
    }
}
