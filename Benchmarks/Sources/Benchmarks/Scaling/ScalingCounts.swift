import BenchmarkReports
import Foundation

/// Counts instructions in stores of several sizes.
final class ScalingCounts {
    private static let rowsPerWrite = 100_000

    private let counts: InstructionCounts
    private let directory: URL
    /// Stores by the number of their users, which nothing has been done to.
    private var files: [Int: String] = [:]

    init(_ counts: InstructionCounts, in directory: URL) {
        self.counts = counts
        self.directory = directory
    }

    /// The instructions of one unit in a setting, or none if the contestant lacks it.
    func count(
        _ unit: ScalingUnit, _ kind: ContestantKind, _ setting: ScalingSetting
    ) throws -> Double? {
        let original = try file(with: setting.rows)
        // A folder of its own, since a store leaves more than one file.
        return try withTemporaryDirectory { directory in
            let copy = directory.appendingPathComponent("copy.sqlite").path
            try FileManager.default.copyItem(atPath: original, toPath: copy)
            return try counts.count(
                ["scale-unit", kind.rawValue, unit.rawValue, copy] + setting.arguments)
        }
    }

    private func file(with rows: Int) throws -> String {
        if let known = files[rows] { return known }
        let path = directory.appendingPathComponent("\(rows).sqlite").path
        try Entrant.makeFile(path)
        let contestant = try SkiathosContestant(path: path, options: ContestantOptions())
        for first in stride(from: 1, through: rows, by: Self.rowsPerWrite) {
            let users = (first...min(first + Self.rowsPerWrite - 1, rows)).map {
                User(number: Int64($0))
            }
            try contestant.insert(users, Stopwatch())
        }
        try contestant.close()
        files[rows] = path
        return path
    }
}
