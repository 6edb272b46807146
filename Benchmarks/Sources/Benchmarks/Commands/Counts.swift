import ArgumentParser
import BenchmarkReports

/// The instructions of single units of work.
struct Counts: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Counts the instructions of single units of work with callgrind.",
        discussion: "Other than times, they are the same each time. Needs valgrind.")

    @Option(parsing: .upToNextOption, help: "The units of work; all without any.")
    var only: [CountedUnit] = CountedUnit.allCases

    @Flag(help: "Count those of GRDB, too.")
    var grdb = false

    func run() throws {
        print(try Self.table(only, grdb ? ContestantKind.compared : [.raw, .skiathos]).aligned)
    }

    /// The instructions of units of work by contestants, of whom the last is rated.
    static func table(_ units: [CountedUnit], _ kinds: [ContestantKind]) throws -> TextTable {
        var table = TextTable(
            columns: ["", "instructions per unit"] + kinds.map(\.name)
                + ["ratio", "above raw C", "target"],
            textColumns: 2)
        let progress = ProgressLine()
        try withTemporaryDirectory { directory in
            let counts = try InstructionCounts(in: directory)
            for kind in kinds { try counts.prepare(kind) }
            for unit in units {
                let found = try kinds.map { kind in
                    progress.show("\(unit.rawValue): \(kind.name)")
                    return try counts.count(unit, kind)
                }
                table.add(row(unit, found))
            }
        }
        progress.clear()
        return table
    }

    private static func row(_ unit: CountedUnit, _ found: [Double?]) -> [String] {
        func format(_ value: Double) -> String { Format.count(Int(value.rounded())) }
        let (raw, own) = (found.first ?? nil, found.last ?? nil)
        var ratio: String?
        if let raw, let own { ratio = Format.ratio(own / raw) }
        let above = raw.flatMap { raw in own.map { $0 - raw } }
        let target = Targets.instructions[unit.rawValue]?.verdict(on: own, format)
        let targetAbove = Targets.instructionsAboveRaw[unit.rawValue]?.verdict(on: above, format)
        return [unit.rawValue, unit.title] + found.map { $0.map(format) ?? "–" }
            + [ratio ?? "–", above.map(format) ?? "–"]
            + [target ?? targetAbove.map { "\($0), above raw C" } ?? ""]
    }
}

/// What is run under callgrind.
struct CountUnit: ParsableCommand {
    static let configuration = CommandConfiguration(shouldDisplay: false)

    @Argument var contestant: ContestantKind
    @Argument var unit: CountedUnit
    @Argument var path: String
    @Option var lmdb: String?

    func run() throws {
        if let lmdb { try LMDB.load(lmdb) }
        let contestant = try contestant.type.init(path: path, options: unit.options)
        do {
            print("units: \(try unit.run(contestant))")
        } catch is NotOffered {
            print("units: 0")
        }
        try contestant.close()
    }
}
