import Foundation
import ReliabilityKit
import Skiathos
import SkiathosTesting
import TestSupport

/// Many histories, one seed after the other, two of three in files and the others in memory.
struct HistorySeries: Sendable, CustomStringConvertible {
    /// How many run at the same time, since each often waits for a disk.
    static let lanes = 4

    private(set) var histories = 0
    private(set) var operations = 0
    private(set) var steps = 0
    private(set) var awaited = 0
    private(set) var overlapping = 0
    private(set) var failures: [String] = []

    /// The figures and every failure with its seed.
    var description: String {
        let figures =
            "\(histories) histories, \(operations) operations, \(steps) steps, \(overlapping) of \(awaited) operations overlapping, \(failures.count) failures"
        return ([figures] + failures.prefix(3)).joined(separator: "\n")
    }

    /// Runs the histories of random seeds, or the one whose seed the environment names, repeatedly.
    static func run() async -> HistorySeries {
        let replayed: UInt64? = setting("HISTORY_SEED")
        let first = Seed.current
        return await withTaskGroup(of: Outcome.self) { group in
            var series = HistorySeries()
            for index in 0..<Load.histories {
                if index >= lanes, let outcome = await group.next() { series.add(outcome) }
                group.addTask {
                    let seed = replayed ?? first &+ UInt64(index)
                    do {
                        return Outcome(seed: seed, result: .success(try await one(seed)))
                    } catch {
                        return Outcome(seed: seed, result: .failure(error))
                    }
                }
            }
            for await outcome in group { series.add(outcome) }
            return series
        }
    }

    private struct Outcome: Sendable {
        let seed: UInt64
        let result: Result<HistoryResult, any Error>
    }

    /// One history; the seed also decides where its store is.
    private static func one(_ seed: UInt64) async throws -> HistoryResult {
        guard seed % 3 > 0 else {
            return try await HistoryRun(seed: seed, source: .inMemory).perform()
        }
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        return try await HistoryRun(seed: seed, source: .sqlite(directory.file("test.sqlite")))
            .perform()
    }

    private mutating func add(_ outcome: Outcome) {
        histories += 1
        switch outcome.result {
        case .failure(let error): failures.append("History of seed \(outcome.seed): \(error)")
        case .success(let result):
            operations += result.operations
            steps += result.steps
            awaited += result.awaited
            overlapping += result.overlapping
            if !result.violations.isEmpty { failures.append("\(result)") }
        }
    }
}
