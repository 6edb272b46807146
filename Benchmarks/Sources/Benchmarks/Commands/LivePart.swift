import ArgumentParser
import BenchmarkReports
import Foundation

/// A line of the table of ``Live``.
struct LiveLine {
    let name: String
    let remark: String
    /// `nil` if the line is not about times.
    let times: LatencyRecord?

    init(_ name: String, _ remark: String = "", _ times: LatencyRecord? = nil) {
        self.name = name
        self.remark = remark
        self.times = times
    }

    var cells: [String] {
        [name, remark] + (times?.cells ?? [String](repeating: "", count: 6))
    }
}

/// One of the things that are measured.
enum LivePart: String, CaseIterable, ExpressibleByArgument {
    case row, queries, differences, writer, undecided, unconcerned, memory, load, process

    var title: String {
        switch self {
        case .row: "O1: one observer of one row"
        case .queries: "O2: 100 observed queries of 100 rows, of which a write changes 5"
        case .differences: "O3: one row of an observed sorted list, as a difference"
        case .writer: "O4: a write of one row, by the number of observers of other rows"
        case .undecided: "O5: a changed row beside 10,000 conditions that no index can decide"
        case .unconcerned: "O6: writes that change no result, and the reads that they cause"
        case .memory: "O7: memory of an idle observer with its task"
        case .load: "O8: writes at a steady pace beside 10,000 observers"
        case .process: "O11: from a write of another process to the value"
        }
    }

    func measure(_ options: Live, in directory: URL) throws -> [LiveLine] {
        let path = directory.appendingPathComponent("live.sqlite").path
        // Every observer of O5 reads all rows once.
        let rows = self == .undecided ? min(options.rows, 2_000) : options.rows
        let skiathos = try LiveSkiathos(path: path, rows: rows)
        defer { skiathos.close() }
        switch self {
        case .row:
            let grdb = try Self.grdb(options, in: directory)
            defer { try? grdb.close() }
            return try skiathos.row(writes: options.writes).lines("Skiathos")
                + grdb.row(writes: options.writes).lines("GRDB")
        case .queries:
            return try skiathos.queries(writes: options.writes / 4).lines("Skiathos")
        case .differences:
            return try skiathos.differences(writes: options.writes).lines("Skiathos")
        case .writer: return try Self.writer(options, skiathos, in: directory)
        case .undecided:
            let found = try skiathos.undecided(writes: options.writes, observers: 10_000)
            return [
                LiveLine("write", "\(Format.count(found.reads)) reads", found.write)
            ] + found.value.lines("value", "no condition depends on the column")
                + found.textValue.lines("value", "a third of them do")
        case .unconcerned:
            let (times, reads) = try skiathos.unconcerned(writes: options.writes)
            return [LiveLine("Skiathos", "\(Format.count(reads)) reads", times)]
        case .memory:
            let bytes = try skiathos.memory(observers: 10_000)
            return [LiveLine("Skiathos", "\(Format.count(bytes)) bytes each of 10,000")]
        case .load: return try Self.load(options, skiathos)
        case .process:
            skiathos.close()
            return try Self.process(options, path)
        }
    }

    private static func grdb(_ options: Live, in directory: URL) throws -> LiveGRDB {
        try LiveGRDB(
            path: directory.appendingPathComponent("grdb.sqlite").path, rows: options.rows)
    }

    private static func writer(
        _ options: Live, _ skiathos: LiveSkiathos, in directory: URL
    ) throws -> [LiveLine] {
        func remark(_ count: Int) -> String { "\(Format.count(count)) observers" }
        let grdb = try grdb(options, in: directory)
        defer { try? grdb.close() }
        let writes = try options.observers.map { count in
            LiveLine(
                "write", remark(count), try skiathos.writes(options.writes, besideObservers: count))
        }
        let values = try options.observers.map { count in
            LiveLine(
                "value", remark(count),
                try skiathos.row(writes: options.writes, besideObservers: count).call)
        }
        // Each of its observers looks at every commit on the writer's path.
        let others = try options.observers.filter { $0 <= 10_000 }.map { count in
            LiveLine(
                "GRDB: write", remark(count),
                try grdb.writes(
                    count < 10_000 ? options.writes : options.writes / 10, besideObservers: count))
        }
        return writes + values + others
    }

    private static func load(_ options: Live, _ skiathos: LiveSkiathos) throws -> [LiveLine] {
        let rate = options.rate
        let alone = try skiathos.load(
            observers: 0, rate: rate, seconds: max(1, min(15, options.seconds)))
        let load = try skiathos.load(observers: 10_000, rate: rate, seconds: options.seconds)
        let heap = [load.heap.early, load.heap.late].map { "\(Format.count($0 >> 10)) KiB" }
        return [
            LiveLine("write", "no observers", alone.write),
            LiveLine("write", "10,000 observers", load.write),
            LiveLine("value", "", load.value),
            LiveLine("heap", "\(heap[0]) after a tenth of the time, \(heap[1]) at the end"),
        ]
    }

    private static func process(_ options: Live, _ path: String) throws -> [LiveLine] {
        let peer = try WritingPeer(path: path)
        var lines: [LiveLine] = []
        for milliseconds in [1, 50] {
            let reader = try LiveReader(path: path, every: .milliseconds(milliseconds))
            defer { reader.close() }
            let remark = "interval of \(milliseconds) ms"
            let count = milliseconds == 1 ? options.writes : options.writes / 10
            lines += [
                LiveLine("value", remark, try reader.row(writes: count, by: peer)),
                LiveLine(
                    "value", "\(remark), after a pause",
                    try reader.row(writes: count / 2, by: peer, afterPause: true)),
            ]
            let share = try reader.idleShare(seconds: 10)
            lines.append(
                LiveLine("processor", "\(remark): \(Format.fixed(share * 100, 3)) % of one"))
        }
        try peer.end()
        return lines
    }
}
