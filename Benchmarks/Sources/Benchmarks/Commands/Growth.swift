import ArgumentParser
import BenchmarkReports
import Foundation

/// What a row costs as the table grows.
struct Growth: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures the cost of a row as the table grows from 1,000 rows on, tenfold each.")

    @Option(help: "How many rows the table has at last, up to 10,000,000.")
    var upTo = 1_000_000

    @Option(help: "How many point reads are timed at each size.")
    var reads = 10_000

    func validate() throws {
        guard (1_000...10_000_000).contains(upTo), reads > 0 else {
            throw ValidationError("Give from 1,000 to 10,000,000 rows, and at least 1 read.")
        }
    }

    func run() throws {
        let kinds: [ContestantKind] = [.raw, .grdb, .skiathos]
        let sizes = sequence(first: 1_000) { $0 < upTo ? min($0 * 10, upTo) : nil }
        var costs: [[GrowthCost]] = []
        try withTemporaryDirectory { directory in
            let progress = ProgressLine()
            let entrants = try kinds.map { try Entrant($0, in: directory) }
            var before = 0
            for size in sizes {
                costs.append(
                    try entrants.map { entrant in
                        progress.show("\(Format.count(size)) rows: \(entrant.kind.name)")
                        return try GrowthCost(entrant, from: before, to: size, reads: reads)
                    })
                before = size
            }
            progress.clear()
            for entrant in entrants { try entrant.close() }
        }
        print(table(kinds, Array(sizes), costs).aligned)
    }

    private func table(
        _ kinds: [ContestantKind], _ sizes: [Int], _ costs: [[GrowthCost]]
    ) -> TextTable {
        var table = TextTable(columns: ["rows"] + kinds.map(\.name), textColumns: 0)
        let parts: [(String, KeyPath<GrowthCost, Double>)] = [
            ("insert, per row", \.insert), ("fetch all, per row", \.fetch),
            ("point read, a closure each", \.read),
        ]
        for (title, part) in parts {
            table.add(heading: title)
            for (size, round) in zip(sizes, costs) {
                table.add(
                    [Format.count(size)] + round.map { Format.seconds($0[keyPath: part]) })
            }
        }
        return table
    }
}

/// The seconds that a row costs at one size of the table.
private struct GrowthCost {
    /// The largest number of rows that one write inserts.
    private static let rowsPerWrite = 100_000

    let insert: Double
    let fetch: Double
    let read: Double

    /// Lets the table grow and measures.
    init(_ entrant: Entrant, from old: Int, to rows: Int, reads: Int) throws {
        let contestant = entrant.contestant
        var inserting = 0.0
        for first in stride(from: old + 1, through: rows, by: Self.rowsPerWrite) {
            let users = (first...min(first + Self.rowsPerWrite - 1, rows)).map {
                User(number: Int64($0))
            }
            let watch = Stopwatch()
            try contestant.insert(users, watch)
            try entrant.waitForCheckpoint()
            watch.stop()
            inserting += watch.seconds
        }
        try Workload.requireRows(rows, contestant, "growth")
        let watch = Stopwatch()
        let checksum = try contestant.fetchAll(watch)
        let ids = Input.walk(reads, through: rows, seed: 42)
        let time = try ContinuousClock().measure {
            for id in ids { _ = try contestant.read(id, as: 0) }
        }
        guard checksum != 0 else { throw BenchmarkError("Nothing was fetched.") }
        insert = inserting / Double(rows - old)
        fetch = watch.seconds / Double(rows)
        read = time / .seconds(1) / Double(reads)
    }
}
