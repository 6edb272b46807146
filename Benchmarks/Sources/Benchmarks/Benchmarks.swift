import ArgumentParser
import Skiathos

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Times the same work done by raw C calls, GRDB and Skiathos in one process, in turn, and prints
/// medians of the ratios of each round: they hold when the machine's speed drifts.
@main
struct Benchmarks: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compares Skiathos with raw SQLite calls and with GRDB.")

    @Option(help: "How many rows the table has.")
    var rows = 100_000

    @Option(help: "How many point reads are timed.")
    var reads = 20_000

    @Option(help: "How many rounds; the median over them is printed.")
    var rounds = 7

    @Option(parsing: .upToNextOption, help: "The workloads, such as W1 R1; all without any.")
    var only: [Workload] = Workload.allCases

    @Flag(help: "Measure how long reads wait beside long writes, and nothing else.")
    var waits = false

    @Option(help: "With --waits: how long the closure of the long write takes, in seconds.")
    var closureSeconds = 10.0

    @Flag(help: "Measure the time and memory of a walk over all rows, and nothing else.")
    var walk = false

    func validate() throws {
        guard rows > 0, reads > 0, rounds > 0 else {
            throw ValidationError("Rows, reads and rounds must be at least 1.")
        }
    }

    func run() throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("skiathos-benchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }

        if waits {
            return try Waits(path: directory.appendingPathComponent("waits.sqlite").path)
                .run(closureSeconds: closureSeconds, rows: rows)
        }
        if walk {
            return try Walk(path: directory.appendingPathComponent("walk.sqlite").path)
                .run(rows: rows)
        }
        let types: [any Contestant.Type] = [
            RawContestant.self, GRDBContestant.self, SkiathosContestant.self,
        ]
        let contestants = try types.map { try make($0, in: directory) }
        let input = Workload.Input(rows: rows, reads: reads)
        var table = Table(names: types.map { $0.name })
        for round in 0...rounds {
            for workload in Workload.allCases where only.contains(workload) {
                // Each goes first in its turn, since the disk is still busy with the one before.
                let first = round % contestants.count
                let turns = contestants.indices.map { ($0 + first) % contestants.count }
                var results: [Int: Workload.Outcome] = [:]
                for turn in turns { results[turn] = try workload.run(contestants[turn], input) }
                let outcomes = contestants.indices.compactMap { results[$0] }
                guard Set(outcomes.map { $0.checksum }).count == 1 else {
                    throw BenchmarkError(
                        description: "\(workload.rawValue): the contestants' results differ")
                }
                // The first round warms files, caches and statements up.
                if round > 0 { table.add(outcomes.map { $0.seconds }, to: workload) }
            }
        }
        table.print(rows: rows, reads: reads, rounds: rounds)
        try printMemory(contestants)
        for contestant in contestants { try contestant.close() }
    }

    /// Makes a file with the schema and the companies, which is the same for all.
    private func make(_ type: any Contestant.Type, in directory: URL) throws -> any Contestant {
        let path = directory.appendingPathComponent("\(type.name).sqlite").path
        let dal = try DataAccessLayer(.sqlite(path), entities: User.self, Company.self)
        try dal.write { context in
            for number in 1...1_000 {
                try Company.create(in: context) { $0.name = "Company \(number)" }
            }
        }
        try dal.close()
        return try type.init(path: path)
    }

    private func printMemory(_ contestants: [any Contestant]) throws {
        print("\nheap bytes per fetched value (bare struct: \(MemoryLayout<User>.stride))")
        for contestant in contestants {
            guard let measured = try heapBytes(of: { try contestant.fetchAll() }) else {
                print("  not known on this system")
                return
            }
            guard !measured.value.isEmpty else { continue }
            print("  \(type(of: contestant).name): \(measured.bytes / measured.value.count)")
        }
    }
}

/// The seconds of every round, from which the report is made.
struct Table {
    let names: [String]
    private var seconds: [Workload: [[Double]]] = [:]

    init(names: [String]) { self.names = names }

    mutating func add(_ round: [Double], to workload: Workload) {
        seconds[workload, default: []].append(round)
    }

    func print(rows: Int, reads: Int, rounds: Int) {
        Swift.print("medians of \(rounds) rounds; ratios to \(names[0]), lower is better\n")
        for workload in Workload.allCases {
            guard let all = seconds[workload] else { continue }
            Swift.print("\(workload.rawValue)  \(workload.title(rows: rows, reads: reads))")
            for (index, name) in names.enumerated() {
                let milliseconds = median(all.map { $0[index] * 1000 })
                let ratio = median(all.map { $0[index] / $0[0] })
                let rate = workload.writes.map {
                    "   \(Int(Double($0) / milliseconds * 1000)) writes/s"
                }
                Swift.print(
                    "  \(padded(name, 10)) \(fixed(milliseconds)) ms   ratio \(fixed(ratio))\(rate ?? "")"
                )
            }
        }
    }

    private func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    private func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private func fixed(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
