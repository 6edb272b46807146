import Skiathos
import TestTools

/// Everything that a store needs fails in turn, once and for ever, while small writes join its
/// batches.
package struct JoinedBatchSweep: Sendable {
    /// The largest number of faults of one kind; they are spread evenly.
    package var limit: Int
    /// Decides which operation of each kind fails first.
    package var seed: UInt64
    /// A mistake in the store, with which the sweep ends at the first problem.
    package var bug: PlantedInsertionBug?

    package init(limit: Int, seed: UInt64, bug: PlantedInsertionBug? = nil) {
        self.limit = limit
        self.seed = seed
        self.bug = bug
    }

    /// What has come of a sweep.
    package struct Result: Sendable {
        /// How many runs had something that failed.
        package var faults = 0
        /// How many batches were lost.
        package var lostBatches = 0
        /// What is wrong, in sentences.
        package var problems: [String] = []
    }

    /// The kinds of faults of files, with SQLite's codes for them.
    private static let kinds: [Fault] = [
        Fault(.write, .wal, result: 13),
        Fault(.write, .wal, result: 778),
        Fault(.write, .wal, result: 778, isPartial: true),
        Fault(.sync, .wal, result: 1034),
        Fault(.read, .main, result: 266),
        Fault(.read, .wal, result: 266),
        Fault(.sharedMemory, .all, result: 5386),
    ]

    /// Lets operations on files fail, and damages pages.
    package func run() async throws -> Result {
        var result = Result()
        var random = SeededNumbers(seed: seed)
        let base = try await JoinedBatchBase()
        for kind in Self.kinds {
            try await run(base, &random, &result) { position, isForEver in
                var fault = kind
                fault.after = position
                fault.isForEver = isForEver
                return .fault(fault)
            }
        }
        for page in positions(2..<base.pageCount + 1, &random) where !isDone(result) {
            try await result.add(JoinedBatchRun(.damage(page: page), base, bug: bug))
        }
        return result
    }

    /// Lets allocations fail, which concerns the whole process.
    func runWithoutMemory() async throws -> Result {
        var result = Result()
        var random = SeededNumbers(seed: seed)
        try await run(try await JoinedBatchBase(), &random, &result) { position, isForEver in
            .memory(after: position, isForEver: isForEver)
        }
        return result
    }

    private func run(
        _ base: JoinedBatchBase, _ random: inout SeededNumbers, _ result: inout Result,
        _ trouble: (_ after: Int, _ isForEver: Bool) -> JoinedBatchTrouble
    ) async throws {
        let sound = try await JoinedBatchRun(trouble(.max, false), base, bug: bug).run()
        result.problems += sound.problems.map { "Without a failure: \($0)" }
        for position in positions(0..<sound.operations, &random) {
            for isForEver in [false, true] where !isDone(result) {
                try await result.add(JoinedBatchRun(trouble(position, isForEver), base, bug: bug))
            }
        }
    }

    private func isDone(_ result: Result) -> Bool { bug != nil && !result.problems.isEmpty }

    private func positions(_ range: Range<Int>, _ random: inout SeededNumbers) -> [Int] {
        let step = max(1, (range.count - 1) / limit + 1)
        return Array(
            stride(from: range.lowerBound + random.below(step), to: range.upperBound, by: step))
    }
}

extension JoinedBatchSweep.Result {
    fileprivate mutating func add(_ run: JoinedBatchRun) async throws {
        let one = try await run.run()
        if one.hasFailed { faults += 1 }
        lostBatches += one.lostBatches
        problems += one.problems.map { "\(run.trouble): \($0)" }
    }
}
