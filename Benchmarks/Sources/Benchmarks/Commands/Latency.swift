import ArgumentParser
import BenchmarkReports

/// How the times of single calls are distributed.
struct Latency: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures the percentiles of the times of single reads and writes.",
        discussion: """
            The part named checkpoints writes for so long that each contestant makes many of \
            them, as often as it does by default, and counts them. The rest has Skiathos make \
            them as often as SQLite makes its own.
            """)

    @OptionGroup var options: SizeOptions

    @Option(help: "How many small writes are timed, committed; a tenth of that durable.")
    var writes = 20_000

    @Option(help: "How many small writes are timed beside checkpoints.")
    var checkpointedWrites = 200_000

    @Option(parsing: .upToNextOption, help: "The parts; all without any.")
    var only: [LatencyPart] = LatencyPart.allCases

    func validate() throws {
        guard writes >= 10, checkpointedWrites >= 10 else {
            throw ValidationError("There must be at least 10 writes.")
        }
    }

    func run() throws {
        var table = TextTable(
            columns: ["", "calls", "p50", "p90", "p99", "p99.9", "max", "checkpoints"],
            textColumns: 1)
        let progress = ProgressLine()
        for part in LatencyPart.allCases where only.contains(part) {
            table.add(heading: part.title)
            for kind in [ContestantKind.raw, .grdb, .skiathos] {
                progress.show("\(part.title): \(kind.name)")
                table.add([kind.name] + (try cells(part, kind)))
            }
        }
        progress.clear()
        print(table.aligned)
    }

    private func cells(_ part: LatencyPart, _ kind: ContestantKind) throws -> [String] {
        try withTemporaryDirectory { directory in
            let entrant = try Entrant(
                kind, in: directory,
                options: ContestantOptions(hasDefaultCheckpoints: part == .checkpoints))
            try entrant.fill(Input(options.sizes))
            guard part != .checkpoints else {
                let (times, checkpoints) = try writeBesideCheckpoints(entrant)
                try entrant.close()
                return times.cells + [Format.count(checkpoints)]
            }
            let times = try times(of: part, entrant.contestant)
            try entrant.close()
            return times.cells + [""]
        }
    }

    private func times(
        of part: LatencyPart, _ contestant: any Contestant
    ) throws -> LatencyRecord {
        let rows = options.rows
        var times = LatencyRecord()
        switch part {
        case .read:
            for id in Input.walk(options.reads, through: rows, seed: 42) {
                try times.measure { _ = try contestant.read(id, as: 0) }
            }
        case .committed, .durable, .checkpoints:
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

    /// The times of small writes, and how many checkpoints were made meanwhile.
    private func writeBesideCheckpoints(
        _ entrant: Entrant
    ) throws -> (times: LatencyRecord, checkpoints: Int) {
        var times = LatencyRecord()
        var counter = try CheckpointCounter(entrant.watchedWAL())
        try entrant.contestant.promise(.committed)
        for number in 1...checkpointedWrites {
            let user = User(number: Int64(options.rows + number))
            try times.measure { try entrant.contestant.insertAlone(user, .committed) }
            // Between the calls, of which none is long enough for two checkpoints.
            counter.look()
        }
        return (times, counter.count)
    }
}

/// What is timed.
enum LatencyPart: String, CaseIterable, ExpressibleByArgument {
    case read
    case committed
    case durable
    case checkpoints
    case mixed
    case mixedWrite = "mixed-write"

    var title: String {
        switch self {
        case .read: "point read, a closure each"
        case .committed: "small write, committed"
        case .durable: "small write, durable"
        case .checkpoints: "small write, committed, beside the checkpoints of each one's default"
        case .mixed: "point read, 4 threads beside 1 that writes"
        case .mixedWrite: "small write, committed, beside 4 threads that read"
        }
    }
}
