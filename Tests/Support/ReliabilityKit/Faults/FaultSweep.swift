import Skiathos
import SkiathosTesting
import TestTools

/// Every operation of a store's life fails in turn, once and for ever.
package struct FaultSweep: Sendable {
    /// The largest number of faults of one kind; they are spread evenly.
    package var limit: Int
    /// Decides which operation of each kind fails first, so that other runs try the operations
    /// between those of this one.
    package var seed: UInt64

    package init(limit: Int, seed: UInt64) {
        self.limit = limit
        self.seed = seed
    }

    /// What has come of a sweep.
    package struct Result: Sendable {
        /// How many runs had an operation that failed.
        package var faults = 0
        /// In how many of them the store could not be opened, or nothing was durable at the end.
        package var refusals = 0, poisonings = 0
        /// How often each outcome was reported.
        package var outcomes: [String: Int] = [:]
        /// What is wrong, in sentences.
        package var problems: [String] = []
    }

    /// The kinds of faults, with SQLite's codes for them.
    static let kinds: [Fault] = [
        Fault(.write, .wal, result: 13),
        Fault(.write, .wal, result: 778),
        Fault(.write, .wal, result: 778, isPartial: true),
        Fault(.write, .main, result: 13),
        Fault(.write, .main, result: 778),
        Fault(.write, .journal, result: 778),
        Fault(.sync, .wal, result: 1034),
        Fault(.sync, .main, result: 1034),
        Fault(.sync, .journal, result: 1034),
        Fault(.sync, .witness, result: 1034),
        Fault(.write, .witness, result: 778),
        Fault(.write, .witness, result: 13),
        Fault(.read, .witness, result: 266),
        Fault(.open, .reserve, result: 14),
        Fault(.write, .reserve, result: 13, isPartial: true),
        Fault(.write, .reserve, result: 778),
        Fault(.truncate, .reserve, result: 1546),
        Fault(.read, .main, result: 266),
        Fault(.read, .wal, result: 266),
        Fault(.read, .all, result: 522),
        Fault(.read, .wal, result: 522),
        Fault(.truncate, .all, result: 1546),
        Fault(.sharedMemory, .all, result: 5386),
        Fault(.open, .all, result: 14),
        Fault(.delete, .all, result: 2570),
        Fault(.lock, .all, result: 3850),
    ]

    /// Lets everything fail.
    package func run() async throws -> Result {
        var result = Result()
        var random = SeededNumbers(seed: seed)
        let bases: [FaultBase?] = [nil, try await FaultBase()]
        for base in bases {
            for kind in Self.kinds {
                // Beyond the last operation nothing fails any more; how many there are differs a
                // little from run to run.
                let count = try await Self.operations(kind, base)
                let step = max(1, (count - 1) / limit + 1)
                for position in stride(from: random.below(step), to: count, by: step) {
                    for isForEver in [false, true] {
                        var fault = kind
                        fault.after = position
                        fault.isForEver = isForEver
                        try await result.add(FaultRun(fault, base: base))
                    }
                }
            }
        }
        return result
    }

    /// How many operations of a kind a life without failures has.
    private static func operations(_ fault: Fault, _ base: FaultBase?) async throws -> Int {
        var counting = fault
        counting.after = .max
        return try await FaultRun(counting, base: base).run().operations
    }
}

extension FaultSweep.Result {
    fileprivate mutating func add(_ run: FaultRun) async throws {
        let one = try await run.run()
        if one.hasFailed { faults += 1 }
        if one.isRefused { refusals += 1 }
        if one.isPoisoned { poisonings += 1 }
        for (outcome, count) in one.outcomes { outcomes[outcome.rawValue, default: 0] += count }
        let kind = run.base == nil ? "a new store" : "a store with a WAL"
        problems += one.problems.map { "\(run.fault) in \(kind): \($0)" }
    }
}
