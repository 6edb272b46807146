import ArgumentParser
import BenchmarkReports
import Foundation

/// The short comparison with what was recorded.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fails if something has become slower than what is recorded.",
        discussion: """
            Compares instruction counts, and ratios of times where instructions cannot tell, with \
            the recorded ones. Each has a margin of its own. Needs valgrind.
            """)

    /// What several threads, tasks or syncs are part of.
    private static let workloads: Set = [
        "R2b", "R2a", "M1", "W2", "W2a", "W2m", "W3t", "W3td", "W3t64", "W3td64",
    ]
    // Fractions of the recorded figures. Instructions differ by little more than hash seeds;
    // times of several threads depend on other users of the cores.
    private static let instructionMargin = 0.03
    private static let timeMargin = 1.0
    private static let instructionsPrefix = "instructions: "

    @Flag(help: "Record what is found, instead of comparing it.")
    var record = false

    @Flag(help: "Leave the times out, which a busy machine makes longer.")
    var instructionsOnly = false

    @Option(help: "Where the figures are recorded.")
    var thresholds = "Benchmarks/thresholds.json"

    func run() throws {
        let file = URL(fileURLWithPath: thresholds)
        let known =
            FileManager.default.fileExists(atPath: file.path)
            ? try JSONDecoder().decode(Thresholds.self, from: Data(contentsOf: file))
            : Thresholds(entries: [])
        let counts = try instructionCounts()
        var ratios = instructionsOnly ? [] : try timeRatios()
        if record {
            if !instructionsOnly { ratios = try shorter(ratios) }
            let found =
                counts.map { ($0.name, $0.value.rounded(), Self.instructionMargin) }
                + ratios.map { ($0.name, ($0.value * 1_000).rounded() / 1_000, Self.timeMargin) }
            return try write(
                known.recording(found, keepingOthers: instructionsOnly), to: file)
        }
        guard !known.entries.isEmpty else {
            throw ValidationError("Nothing is recorded in \(thresholds). Record with --record.")
        }
        if instructionsOnly {
            let recorded = known.entries.filter { $0.name.hasPrefix(Self.instructionsPrefix) }
            return try report(Thresholds(entries: recorded).compare(counts))
        }
        let isAnySlow = known.compare(ratios).contains { $0.verdict == .worse }
        if isAnySlow { ratios = try shorter(ratios) }
        try report(known.compare(counts + ratios))
    }

    /// The ratios, or those of another look if they are less: a neighbour on the machine may have
    /// had a busy minute.
    private func shorter(
        _ ratios: [(name: String, value: Double)]
    ) throws -> [(name: String, value: Double)] {
        zip(ratios, try timeRatios()).map { ($0.name, min($0.value, $1.value)) }
    }

    private func report(_ findings: [Thresholds.Finding]) throws {
        print(findings.table.aligned)
        let failures = findings.filter(\.verdict.isFailure)
        let better = findings.filter { $0.verdict == .better }.map(\.name)
        if !better.isEmpty {
            print("\nBetter than recorded, which `check --record` keeps:")
            print(better.joined(separator: ", "))
        }
        guard !failures.isEmpty else {
            return print("\nNothing has fallen behind.")
        }
        print("\nFell behind: \(failures.map(\.name).joined(separator: ", ")).")
        print("If that is meant to be, record it with `check --record` and say why in the commit.")
        throw ExitCode(1)
    }

    private func instructionCounts() throws -> [(name: String, value: Double)] {
        let progress = ProgressLine()
        defer { progress.clear() }
        return try withTemporaryDirectory { directory in
            let counts = try InstructionCounts(in: directory)
            try counts.prepare(.skiathos)
            return try CountedUnit.allCases.enumerated().compactMap { position, unit in
                progress.show(
                    position, of: CountedUnit.allCases.count, "instructions: \(unit.rawValue)")
                return try counts.count(unit, .skiathos).map {
                    (Self.instructionsPrefix + unit.rawValue, $0)
                }
            }
        }
    }

    /// Ratios of the shortest times of Skiathos to those of raw C.
    private func timeRatios() throws -> [(name: String, value: Double)] {
        var sizes = Input.Sizes()
        sizes.rows = 5_000
        sizes.reads = 5_000
        sizes.smallWrites = 2_000
        sizes.mixedSeconds = 0.2
        let report = try Comparison(
            sizes: sizes, rounds: 9, only: Self.workloads, kinds: [.raw, .skiathos]
        ).run()
        return report.lines.filter { $0.kind != .ownTime }.compactMap { line in
            line.shortestRatio(of: 1).map { ("time: \(line.id)", $0) }
        }
    }

    private func write(_ thresholds: Thresholds, to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try (encoder.encode(thresholds) + Data("\n".utf8)).write(to: file)
        print("Recorded \(thresholds.entries.count) figures in \(file.relativePath).")
    }
}
