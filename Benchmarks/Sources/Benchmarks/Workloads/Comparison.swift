import BenchmarkReports
import Foundation
import Skiathos

/// Runs workloads by all contestants in turn, in one process.
///
/// What is compared are the ratios within a round: they hold when the machine's speed drifts.
struct Comparison {
    var sizes = Input.Sizes()
    var rounds = 7
    /// The IDs of the workloads; all without any.
    var only: Set<String> = []
    /// Whether all have the page cache of Skiathos, instead of each its default.
    var hasSameCache = false
    /// Who takes part, beginning with the one that the others are measured by.
    var kinds = ContestantKind.compared

    func run() throws -> Report {
        try withTemporaryDirectory { directory in
            let options = ContestantOptions(
                cacheSize: hasSameCache ? Configuration().cacheSize : nil)
            let entrants = try kinds.map {
                try Entrant($0, in: directory, options: options)
            }
            let lines = try measure(entrants)
            for entrant in entrants { try entrant.close() }
            return Report(
                conditions: conditions, contestants: entrants.map(\.kind.name), lines: lines)
        }
    }

    private func measure(_ entrants: [Entrant]) throws -> [ReportLine] {
        let workloads = Workload.all(sizes).filter { only.isEmpty || only.contains($0.id) }
        let input = Input(sizes)
        let progress = ProgressLine()
        var collector = Collector(workloads)
        // The first round warms files, caches and statements up.
        for round in 0...rounds {
            collector.beginRound()
            for (position, workload) in workloads.enumerated() {
                progress.show(
                    round * workloads.count + position, of: (rounds + 1) * workloads.count,
                    "round \(round) of \(rounds): \(workload.id)")
                let outcomes = try Self.run(workload, entrants, input, round)
                if round > 0 { collector.add(outcomes, of: workload) }
            }
        }
        progress.clear()
        return collector.lines
    }

    private static func run(
        _ workload: Workload, _ entrants: [Entrant], _ input: Input, _ round: Int
    ) throws -> [Workload.Outcome?] {
        // Each goes first in its turn, since the disk is still busy with the one before.
        var outcomes: [Workload.Outcome?] = Array(repeating: nil, count: entrants.count)
        for turn in entrants.indices {
            let number = (turn + round) % entrants.count
            outcomes[number] = try entrants[number].run(workload, input)
        }
        guard Set(outcomes.compactMap { $0?.checksum }).count <= 1 else {
            throw BenchmarkError("\(workload.id): the contestants' results differ.")
        }
        return outcomes
    }

    private var conditions: [(name: String, value: String)] {
        let plain = kinds.contains(.grdb) ? "raw C and GRDB" : "raw C"
        let own = "\(Configuration().cacheSize >> 20) MiB"
        let cache =
            hasSameCache
            ? "\(own) for each connection of every contestant"
            : "2 MB (SQLite's default) for \(plain), \(own) for Skiathos, for each connection"
        let companies = Format.count(Int(Input.companies))
        return Machine.conditions + [
            ("rows", "\(Format.count(sizes.rows)) users, \(companies) companies"),
            ("rounds", "\(rounds), after one to warm up"),
            ("page cache", cache),
            (
                "otherwise",
                "write-ahead log; \(plain) with SQLite's checkpoints after 1,000 pages, Skiathos with its own after 4 MiB; durable rows with synchronous=FULL"
            ),
        ] + kinds.flatMap { $0.type.conditions }
    }
}

/// Makes the lines of the report from outcomes.
private struct Collector {
    private var byFigure: [String: ReportLine] = [:]
    private let order: [String]
    private var round: [String: [Double?]] = [:]

    init(_ workloads: [Workload]) {
        order = workloads.flatMap { $0.figures.map(\.id) }
        for workload in workloads {
            for figure in workload.figures {
                byFigure[figure.id] = ReportLine(
                    id: figure.id, title: figure.title, section: workload.section,
                    unit: figure.unit, kind: figure.kind)
            }
        }
    }

    var lines: [ReportLine] { order.compactMap { byFigure[$0] }.filter { $0.rounds > 0 } }

    mutating func beginRound() { round = [:] }

    mutating func add(_ outcomes: [Workload.Outcome?], of workload: Workload) {
        for (position, figure) in workload.figures.enumerated() {
            let seconds = outcomes.map { $0?.seconds[position] }
            round[figure.id] = seconds
            if let base = figure.base {
                guard let other = round[base] else { continue }
                byFigure[figure.id]?.add(seconds, relativeTo: other)
            } else {
                byFigure[figure.id]?.add(seconds)
            }
        }
    }
}
