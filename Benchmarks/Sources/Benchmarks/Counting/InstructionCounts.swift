import BenchmarkReports
import Foundation

/// Counts instructions with callgrind, in processes of their own.
struct InstructionCounts {
    private let valgrind: String
    private let directory: URL
    /// A copy without debug information, of which callgrind reads megabytes otherwise.
    private let executable: String

    init(in directory: URL) throws {
        guard let valgrind = ChildProcess.find("valgrind") else {
            throw BenchmarkError(
                "Instructions are counted with valgrind, which is not installed. Install it with: apt-get install valgrind"
            )
        }
        guard let own = Bundle.main.executableURL else {
            throw BenchmarkError("The path of this executable is not known.")
        }
        self.valgrind = valgrind
        self.directory = directory
        executable = directory.appendingPathComponent("counted").path
        try FileManager.default.copyItem(atPath: own.path, toPath: executable)
        // Without it, it only takes longer.
        if let strip = ChildProcess.find("strip") {
            _ = try ChildProcess.run([strip, "-g", executable])
        }
    }

    /// Makes a file with rows and one without for a contestant.
    func prepare(_ kind: ContestantKind) throws {
        try kind.type.makeFile(file(kind, filled: false))
        try FileManager.default.copyItem(
            atPath: file(kind, filled: false), toPath: file(kind, filled: true))
        let contestant = try kind.type.init(
            path: file(kind, filled: true), options: ContestantOptions())
        try contestant.insert(
            (1...Int64(CountedUnit.rows)).map { User(number: $0) }, Stopwatch())
        try contestant.close()
    }

    /// The instructions of one unit, or none if the contestant lacks it.
    func count(_ unit: CountedUnit, _ kind: ContestantKind) throws -> Double? {
        let path = directory.appendingPathComponent("\(kind.rawValue)-\(unit.rawValue).sqlite").path
        try FileManager.default.copyItem(
            atPath: file(kind, filled: unit.needsRows), toPath: path)
        let library = kind == .lmdb ? ["--lmdb", try LMDB.load().path] : []
        return try count(["count-unit", kind.rawValue, unit.rawValue, path] + library)
    }

    /// The instructions of one unit that a process with these arguments counts, or none if it has
    /// done none.
    func count(_ arguments: [String]) throws -> Double? {
        let result = try ChildProcess.run(
            [
                valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null",
                "--toggle-collect=counted_part", executable,
            ] + arguments)
        guard result.code == 0, let collected = number(after: "Collected :", in: result.output),
            let units = number(after: "units:", in: result.output)
        else {
            throw BenchmarkError(
                "Counting \(arguments.joined(separator: " ")) failed:\n\(result.output)")
        }
        return units == 0 ? nil : collected / units
    }

    private func file(_ kind: ContestantKind, filled: Bool) -> String {
        directory.appendingPathComponent("\(kind.rawValue)-\(filled ? "filled" : "empty")").path
    }

    private func number(after text: String, in output: String) -> Double? {
        guard let found = output.range(of: text) else { return nil }
        let rest = output[found.upperBound...].drop { $0 == " " }
        return Double(rest.prefix { $0.isNumber })
    }
}
