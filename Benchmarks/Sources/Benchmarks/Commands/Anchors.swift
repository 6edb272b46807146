import ArgumentParser
import BenchmarkReports
import Foundation

/// The comparison with a store of another kind.
struct Anchors: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compares raw SQLite calls and Skiathos with LMDB, a store of another kind.",
        discussion: """
            LMDB maps keys to values, and has neither a query language nor constraints. Its \
            library is loaded when this command runs; where there is none, it says so and ends.
            """)

    /// What LMDB has an equivalent of.
    private static let workloads = [
        "R1", "R2", "R2b", "R2bw", "R3", "R4", "R5", "R5b", "W1", "W2", "W2d", "W3", "W3d", "W3t64",
        "W3td64",
    ]
    private static let units: [CountedUnit] = [
        .decode, .read, .readWarm, .query, .insert, .insertAlone,
    ]

    @OptionGroup var options: SizeOptions

    @Option(help: "How many rounds; the median over them is printed.")
    var rounds = 7

    @Option(parsing: .upToNextOption, help: "The workloads.")
    var only = Self.workloads

    @Flag(help: "Give raw C the page cache of Skiathos, instead of its default.")
    var sameCache = false

    @Flag(help: "Count instructions of single units of work instead, with callgrind.")
    var counts = false

    @Option(help: "The library of LMDB; where the system looks for libraries without.")
    var lmdb: String?

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("There must be at least 1 round.") }
        let unknown = Set(only).subtracting(Self.workloads)
        guard unknown.isEmpty else {
            throw ValidationError(
                "LMDB does not do \(unknown.sorted().joined(separator: ", ")), but \(Self.workloads.joined(separator: ", "))."
            )
        }
    }

    func run() throws {
        do {
            try LMDB.load(lmdb)
        } catch {
            // A path that was given is meant to be right.
            guard lmdb == nil else { throw error }
            return print("LMDB is left out: \(error)\n\(LMDB.advice)")
        }
        guard !counts else {
            return print(try Counts.table(Self.units, ContestantKind.anchored).aligned)
        }
        let report = try Comparison(
            sizes: options.sizes, rounds: rounds, only: Set(only), hasSameCache: sameCache,
            kinds: ContestantKind.anchored
        ).run()
        print(report.text(showsTargets: false))
    }
}
