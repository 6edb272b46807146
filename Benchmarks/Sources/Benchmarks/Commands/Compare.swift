import ArgumentParser
import BenchmarkReports
import Foundation

/// The comparison of all contestants.
struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compares raw SQLite calls, GRDB and Skiathos in one process, in turn.",
        discussion: """
            Prints medians of the ratios of each round, which hold when the machine's speed drifts. \
            Every contestant has a file of its own with the same schema; results are compared.
            """)

    @OptionGroup var options: SizeOptions

    @Option(help: "How many rounds; the median over them is printed.")
    var rounds = 7

    @Option(
        parsing: .upToNextOption,
        help: "The workloads, of \(Workload.ids.joined(separator: ", ")); all without any.")
    var only: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: "Who takes part, of \(Self.contestantNames); the others are measured by the first.")
    var contestants = ContestantKind.compared

    @Flag(help: "Give every contestant the page cache of Skiathos, instead of each its default.")
    var sameCache = false

    @Flag(help: "Print the target of each ratio and whether it is met.")
    var targets = false

    @Option(help: "Write the table as Markdown to this file, too.")
    var markdown: String?

    @Option(help: "Draw the ratios as bars into this SVG file, too.")
    var plot: String?

    private static let contestantNames =
        ContestantKind.compared.map(\.rawValue).joined(separator: ", ")

    func validate() throws {
        guard rounds > 0 else { throw ValidationError("There must be at least 1 round.") }
        guard !contestants.isEmpty, contestants.count == Set(contestants).count,
            Set(contestants).isSubset(of: ContestantKind.compared)
        else {
            throw ValidationError("Name each contestant once, of \(Self.contestantNames).")
        }
        let unknown = Set(only).subtracting(Workload.ids)
        guard unknown.isEmpty else {
            throw ValidationError(
                "There is no workload \(unknown.sorted().joined(separator: ", ")); there are \(Workload.ids.joined(separator: ", "))."
            )
        }
    }

    func run() throws {
        let report = try Comparison(
            sizes: options.sizes, rounds: rounds, only: Set(only), hasSameCache: sameCache,
            kinds: contestants
        ).run()
        print(report.text(showsTargets: targets))
        if let plot { try write(BarPlot(report).svg, plot) }
        if let markdown { try write(report.markdown(plot: plot.map(Self.name)), markdown) }
    }

    private func write(_ text: String, _ path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    /// The document and the picture lie in the same directory.
    private static func name(_ path: String) -> String {
        URL(fileURLWithPath: path).lastPathComponent
    }
}
