import ArgumentParser
import BenchmarkReports
import Foundation

/// How soon a new process has its first value.
struct Start: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures the time from the start of a process to its first value.",
        discussion: """
            Each contestant is an executable of its own, which links nothing else: raw SQLite calls \
            without Foundation.
            """)

    @Option(help: "How many processes of each are started; the median is printed.")
    var count = 20

    func validate() throws {
        guard count > 0 else { throw ValidationError("There must be at least 1 process.") }
    }

    func run() throws {
        let names = ["StartRaw", "StartGRDB", "StartSkiathos"]
        guard let directory = Bundle.main.executableURL?.deletingLastPathComponent() else {
            throw BenchmarkError("The path of this executable is not known.")
        }
        let paths = names.map { directory.appendingPathComponent($0).path }
        var seconds: [[Double]] = names.map { _ in [] }
        try withTemporaryDirectory { files in
            let made = files.appendingPathComponent("made.sqlite").path
            _ = try start(paths[2], made, "make")
            for name in names {
                try FileManager.default.copyItem(
                    atPath: made, toPath: files.appendingPathComponent(name).path)
            }
            // The first round has the executables read from the disk.
            for round in 0...count {
                for turn in names.indices {
                    let number = (turn + round) % names.count
                    let file = files.appendingPathComponent(names[number]).path
                    let time = try start(paths[number], file)
                    if round > 0 { seconds[number].append(time) }
                }
            }
        }
        print(table(names, seconds).aligned)
    }

    private func start(_ path: String, _ arguments: String...) throws -> Double {
        let result = try ChildProcess.run([path] + arguments)
        guard result.code == 0, result.output == "." else {
            throw BenchmarkError(
                "\(path) failed: \(result.output) Build all products first: swift build -c release --package-path Benchmarks"
            )
        }
        return result.secondsToFirstByte
    }

    private func table(_ names: [String], _ seconds: [[Double]]) -> TextTable {
        var table = TextTable(
            columns: ["process to first value", "median", "shortest", "ratio", "target"],
            textColumns: 1)
        for (position, name) in names.enumerated() {
            let ratio = Statistics.median(zip(seconds[position], seconds[0]).map { $0 / $1 })
            table.add([
                name, Format.seconds(Statistics.median(seconds[position]) ?? 0),
                Format.seconds(seconds[position].min() ?? 0), Format.ratio(ratio ?? 0),
                name == "StartSkiathos" ? Targets.start.verdict(on: ratio) : "",
            ])
        }
        return table
    }
}
