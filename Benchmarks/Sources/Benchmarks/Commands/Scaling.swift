import ArgumentParser
import BenchmarkReports
import Foundation

/// How instructions grow with the store, the schema, the write and the listeners.
struct Scaling: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Counts how the instructions of a unit of work grow with what is around it.",
        discussion: """
            Counts units with callgrind in stores of several numbers of rows, schemas of several \
            numbers of entities, writes of several numbers of objects, and beside several \
            numbers of listeners. Each figure has its growth against the line before; FASTER \
            marks what grows by more than its work and by more than the same in raw C. A B-tree \
            may grow as its depth. Needs valgrind.
            """)

    @Option(help: "How many rows the store has at last, up to 10,000,000.")
    var upTo = 1_000_000

    @Option(parsing: .upToNextOption, help: "What grows; all of them without any.")
    var only: [ScalingDimension] = ScalingDimension.allCases

    @Flag(help: "Print the tables as Markdown.")
    var markdown = false

    func validate() throws {
        guard (1_000...10_000_000).contains(upTo) else {
            throw ValidationError("Give from 1,000 to 10,000,000 rows.")
        }
    }

    func run() throws {
        let progress = ProgressLine()
        try withTemporaryDirectory { directory in
            let counts = ScalingCounts(try InstructionCounts(in: directory), in: directory)
            for dimension in ScalingDimension.allCases where only.contains(dimension) {
                for table in dimension.tables {
                    let growth = try fill(table, dimension.sizes(upTo: upTo), counts, progress)
                    progress.clear()
                    print("\(markdown ? "### " : "")\(growth.title)\n")
                    print("\(markdown ? growth.table.markdown : growth.table.aligned)\n")
                }
            }
        }
    }

    private func fill(
        _ table: ScalingTable, _ sizes: [Int], _ counts: ScalingCounts, _ progress: ProgressLine
    ) throws -> CostGrowth {
        var growth = CostGrowth(
            table.title, size: table.size,
            units: table.columns.map { CostGrowth.Unit($0.title, $0.allowed, peer: $0.peer) })
        for size in sizes {
            let costs = try table.columns.map { column in
                progress.show("\(table.title): \(Format.count(size)), \(column.title)")
                return try counts.count(column.unit, column.kind, column.setting(size))
            }
            growth.add(size: size, costs)
        }
        return growth
    }
}

/// What is run under callgrind.
struct ScaleUnit: ParsableCommand {
    static let configuration = CommandConfiguration(shouldDisplay: false)

    @Argument var contestant: ContestantKind
    @Argument var unit: ScalingUnit
    @Argument var path: String
    @Option var rows: Int
    @Option var entities = 2
    @Option var objects = 1
    @Option var listeners = 0
    @Option var listening = Listening.feedsOfOther

    func run() throws {
        let opened = try contestant.type.init(
            path: path, options: ContestantOptions(entities: entities))
        let held = try (opened as? SkiathosContestant)?.listen(listeners, listening)
        print("units: \(try unit.run(opened, rows: rows, objects: objects))")
        withExtendedLifetime(held) {}
        try opened.close()
    }
}
