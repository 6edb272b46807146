import Foundation
import SkiathosTesting

#if canImport(Glibc)
import Glibc
import TestTools

/// Processes that are killed while they write, over and over, each on what the one before has left.
package struct KillRun: Sendable {
    /// What decides about everything but the order in which threads run.
    package var seed: UInt64
    /// How many stores there are.
    package var stores = 30
    /// How many processes are killed on each store.
    package var livesPerStore = 5
    /// How many run at the same time, since each often waits for a disk.
    package var lanes = 2

    package init(seed: UInt64) { self.seed = seed }

    /// What has come of a run.
    package struct Result: Sendable {
        /// How many processes were killed.
        package var kills = 0
        /// How many of them while they opened the store.
        package var killsWhileOpening = 0
        /// How many of those found a WAL that a killed process had left.
        package var killsInRecovery = 0
        /// How many acknowledgements there were that must outlive the process.
        package var promises = 0
        /// How many acknowledgements there were of each form and level.
        package var counts: [ProtocolLine.Form: Int] = [:]
        /// What is wrong, in sentences.
        package var problems: [String] = []

        fileprivate mutating func add(_ other: Result) {
            kills += other.kills
            killsWhileOpening += other.killsWhileOpening
            killsInRecovery += other.killsInRecovery
            promises += other.promises
            counts.merge(other.counts, uniquingKeysWith: +)
            problems += other.problems
        }
    }

    /// Kills all processes.
    package func run() async throws -> Result {
        var random = SeededNumbers(seed: seed)
        let seeds = (0..<stores).map { _ in random.next() }
        return try await withThrowingTaskGroup(of: Result.self) { group in
            var result = Result()
            for (index, seed) in seeds.enumerated() {
                if index >= lanes, let one = try await group.next() { result.add(one) }
                group.addTask { try await one(seed) }
            }
            for try await one in group { result.add(one) }
            return result
        }
    }

    /// All lives of one store.
    private func one(_ seed: UInt64) async throws -> Result {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        var random = SeededNumbers(seed: seed)
        var result = Result()
        var promise = 0
        for life in 1...livesPerStore {
            var plan = ChildPlan(directory: directory.path, ledger: seed, seed: random.next())
            // In some lives every few dozen writes are followed by a checkpoint. The first one never
            // makes one, so it leaves a WAL.
            plan.checkpointSize = life > 1 && random.happens(50) ? 100_000 : 4 << 20
            let hasWAL = Self.size(of: plan.path + "-wal") > 0
            let moment = Moment(ofLife: life, &random)
            if case .operation(let number) = moment {
                plan.hold = ChildPlan.Hold(nil, after: number, isFatal: true)
            }
            let child = try ChildProcess(plan)
            await moment.wait(child)
            child.send(SIGKILL)
            let (end, _) = await child.end()
            let testimony = child.testimony
            result.note(testimony, hasWAL: hasWAL)
            promise = max(promise, testimony.promise)
            if end != .killed(SIGKILL) {
                result.problems.append("Life \(life) of store \(seed) has ended as \(end).")
            }
            // Otherwise the next process finds what this one has left, as the second always does.
            guard life == livesPerStore || life > 1 && random.happens(30) else { continue }
            let audit = try await StoreAudit(plan, promise: promise)
            result.problems += audit.problems.map { "After life \(life) of store \(seed): \($0)" }
            promise = max(promise, audit.number)
        }
        return result
    }

    /// When a process is killed.
    private enum Moment {
        /// When it has had so many acknowledgements.
        case acknowledgements(Int)
        /// So long after it has begun to open the store.
        case time(Duration)
        /// Before one of the first operations of files.
        case operation(Int)

        /// The first life writes, and the second ends while it recovers what the first has left: each
        /// store has both, however fast the machine is.
        init(ofLife life: Int, _ random: inout SeededNumbers) {
            switch life {
            case 1: self = .acknowledgements(100 + random.below(200))
            case 2: self = .operation(random.below(8))
            case let life where life.isMultiple(of: 2): self = .operation(random.below(40))
            default: self.init(&random)
            }
        }

        private init(_ random: inout SeededNumbers) {
            self =
                switch random.below(100) {
                case ..<60: .acknowledgements(1 + random.below(200))
                case ..<75: .time(.microseconds(random.below(30_000)))
                default: .operation(random.below(120))
                }
        }

        func wait(_ child: ChildProcess) async {
            switch self {
            case .acknowledgements(let count): await child.wait { $0.promises >= count }
            case .time(let time):
                await child.wait(for: .opening)
                // The moment is the point of it; nothing is waited for.
                try? await Task.sleep(for: time)
            // It may come when the store is open, or while it is opened.
            case .operation: await child.wait(for: .held)
            }
        }
    }

    private static func size(of file: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }
}

extension KillRun.Result {
    fileprivate mutating func note(_ testimony: Testimony, hasWAL: Bool) {
        kills += 1
        promises += testimony.promises
        for (form, levels) in testimony.counts {
            counts[form, default: 0] += levels.values.reduce(0, +)
        }
        problems += testimony.strays.map { "It said \"\($0)\"." }
        guard testimony.points.contains(.opening), !testimony.points.contains(.open) else { return }
        killsWhileOpening += 1
        if hasWAL { killsInRecovery += 1 }
    }
}
#endif
