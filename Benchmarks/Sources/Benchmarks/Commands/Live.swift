import ArgumentParser
import BenchmarkReports
import Foundation
import Skiathos

/// How long live queries take, and what they cost the writer.
struct Live: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures observed queries: latency, cost for the writer, wake-ups and memory.",
        discussion: """
            Each latency is the time from the call of a write to the value in the observer's \
            loop, the commit included. GRDB's ValueObservation does the same work beside it, \
            where it can.
            """)

    @Option(help: "How many rows the store has.")
    var rows = 100_000

    @Option(help: "How many writes are timed.")
    var writes = 2_000

    @Option(
        parsing: .upToNextOption, help: "The numbers of observers beside which writes are timed.")
    var observers = [0, 100, 1_000, 10_000, 100_000]

    @Option(help: "For how many seconds writes come at a steady pace.")
    var seconds = 60

    @Option(help: "How many of these writes there are in a second.")
    var rate = 1_000

    @Option(parsing: .upToNextOption, help: "The parts; all without any.")
    var only: [LivePart] = LivePart.allCases

    @Option(help: "Where to write the times by number of observers as a picture.")
    var plot: String?

    func validate() throws {
        guard rows >= 1_100, writes >= 10, seconds >= 1, (1...10_000).contains(rate) else {
            throw ValidationError(
                "Give at least 1,100 rows, 10 writes and 1 second, and from 1 to 10,000 writes a second."
            )
        }
    }

    func run() throws {
        let progress = ProgressLine()
        var table = TextTable(
            columns: ["", "", "calls", "p50", "p90", "p99", "p99.9", "max"], textColumns: 2)
        for part in LivePart.allCases where only.contains(part) {
            progress.show(part.title)
            let lines = try withTemporaryDirectory { directory in
                try part.measure(self, in: directory)
            }
            table.add(heading: part.title)
            for line in lines { table.add(line.cells) }
            if part == .writer, let plot {
                let picture = LinePlot(lines, beside: observers)
                try Data(picture.svg.utf8).write(to: URL(fileURLWithPath: plot))
            }
        }
        progress.clear()
        print(table.aligned)
    }
}

/// The process that writes beside the readers of ``Live``.
struct LiveWriter: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: WritingPeer.command, abstract: "Writes as `live` asks it to.",
        shouldDisplay: false)

    @Argument(help: "The path of the store.")
    var path: String

    func run() throws { try WritingPeer.run(path: path) }
}

extension LinePlot {
    /// The medians and 99th percentiles of the part about writers.
    fileprivate init(_ lines: [LiveLine], beside numbers: [Int]) {
        let names = lines.map(\.name).reduce(into: [String]()) { names, name in
            if !names.contains(name) { names.append(name) }
        }
        self.init(
            title: "Writes beside observers of other rows",
            subtitle:
                "one row a write, committed; the value is in the loop of the observer of that row",
            numbers: numbers, unit: "observers of other rows",
            lines: names.flatMap { name -> [Line] in
                let times = lines.filter { $0.name == name }.compactMap(\.times)
                return [(50.0, "median"), (99.0, "p99")].map { percent, word in
                    Line(
                        "\(name), \(word)", microseconds: times.map { $0.seconds(percent) * 1e6 },
                        isCompanion: percent > 50)
                }
            })
    }
}
