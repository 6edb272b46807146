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

    @Option(parsing: .upToNextOption, help: "The parts; all without any.")
    var only: [LivePart] = LivePart.allCases

    func validate() throws {
        guard rows >= 1_000, writes >= 10 else {
            throw ValidationError("Give at least 1,000 rows and 10 writes.")
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
            for line in lines { table.add(line) }
        }
        progress.clear()
        print(table.aligned)
    }
}

/// One of the things that are measured.
enum LivePart: String, CaseIterable, ExpressibleByArgument {
    case row, queries, differences, writer, unconcerned, memory

    var title: String {
        switch self {
        case .row: "O1: one observer of one row"
        case .queries: "O2: 100 observed queries of 100 rows, of which a write changes 5"
        case .differences: "O3: one row of an observed sorted list, as a difference"
        case .writer: "O4: a write of one row, by the number of observers of other rows"
        case .unconcerned: "O6: writes that change no result, and the reads that they cause"
        case .memory: "O7: memory of an idle observer with its task"
        }
    }

    fileprivate func measure(_ options: Live, in directory: URL) throws -> [[String]] {
        let path = directory.appendingPathComponent("live.sqlite").path
        let skiathos = try LiveSkiathos(path: path, rows: options.rows)
        defer { skiathos.close() }
        func line(_ name: String, _ what: String, _ times: LatencyRecord) -> [String] {
            [name, what] + times.cells
        }
        switch self {
        case .row:
            var lines = [line("Skiathos", "", try skiathos.row(writes: options.writes))]
            let other = directory.appendingPathComponent("grdb.sqlite").path
            let grdb = try LiveGRDB(path: other, rows: options.rows)
            lines.append(line("GRDB", "", try grdb.row(writes: options.writes)))
            try grdb.close()
            return lines
        case .queries:
            return [line("Skiathos", "", try skiathos.queries(writes: options.writes / 4))]
        case .differences:
            return [line("Skiathos", "", try skiathos.differences(writes: options.writes))]
        case .writer:
            return try options.observers.map { count in
                line(
                    "Skiathos", "\(Format.count(count)) observers",
                    try skiathos.writes(options.writes, besideObservers: count))
            }
        case .unconcerned:
            let (times, reads) = try skiathos.unconcerned(writes: options.writes)
            return [line("Skiathos", "\(Format.count(reads)) reads", times)]
        case .memory:
            let bytes = try skiathos.memory(observers: 10_000)
            return [["Skiathos", "\(Format.count(bytes)) bytes", "10,000", "", "", "", "", ""]]
        }
    }
}
