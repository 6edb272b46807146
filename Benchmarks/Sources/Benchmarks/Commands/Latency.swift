import ArgumentParser
import BenchmarkReports

/// How the times of single calls are distributed.
struct Latency: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures the percentiles of the times of single reads and writes.")

    @OptionGroup var options: SizeOptions

    @Option(help: "How many small writes are timed, committed; a tenth of that durable.")
    var writes = 20_000

    func validate() throws {
        guard writes >= 10 else { throw ValidationError("There must be at least 10 writes.") }
    }

    func run() throws {
        var table = TextTable(
            columns: ["", "calls", "p50", "p90", "p99", "p99.9", "max"], textColumns: 1)
        let progress = ProgressLine()
        for part in Part.allCases {
            table.add(heading: part.rawValue)
            for kind in [ContestantKind.raw, .grdb, .skiathos] {
                progress.show("\(part.rawValue): \(kind.name)")
                try withTemporaryDirectory { directory in
                    let entrant = try Entrant(kind, in: directory)
                    try entrant.fill(Input(options.sizes))
                    let times = try times(of: part, entrant.contestant)
                    table.add([kind.name] + times.cells)
                    try entrant.close()
                }
            }
        }
        progress.clear()
        print(table.aligned)
    }

    private enum Part: String, CaseIterable {
        case read = "point read, a closure each"
        case committed = "small write, committed"
        case durable = "small write, durable"
        case mixed = "point read, 4 threads beside 1 that writes"
        case mixedWrite = "small write, committed, beside 4 threads that read"
    }

    private func times(of part: Part, _ contestant: any Contestant) throws -> LatencyRecord {
        let rows = options.rows
        var times = LatencyRecord()
        switch part {
        case .read:
            for id in Input.walk(options.reads, through: rows, seed: 42) {
                try times.measure { _ = try contestant.read(id, as: 0) }
            }
        case .committed, .durable:
            let promise = part == .durable ? Promise.durable : .committed
            try contestant.promise(promise)
            for number in 1...(part == .durable ? writes / 10 : writes) {
                let user = User(number: Int64(rows + number))
                try times.measure { try contestant.insertAlone(user, promise) }
            }
        case .mixed, .mixedWrite:
            let load = LatencyLoad(contestant, rows: rows, seconds: options.mixedSeconds * 4)
            try load.run()
            times = part == .mixed ? load.reads : load.writes
        }
        return times
    }
}
