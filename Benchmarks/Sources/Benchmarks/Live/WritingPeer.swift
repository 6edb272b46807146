import Foundation
import Skiathos

/// Another process that writes to a store of observers, a row for each line that it is sent, and
/// answers with the moment at which it has called `write`.
final class WritingPeer {
    /// What the process is started with.
    static let command = "live-writer"

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(path: String) throws {
        process.executableURL = Bundle.main.executableURL
        process.arguments = [Self.command, path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        _ = try answer()
    }

    /// Has the process write.
    func write() throws { try input.fileHandleForWriting.write(contentsOf: Data([10])) }

    /// When it has called `write` for the last line, in nanoseconds of the system's monotonic clock.
    func answer() throws -> UInt64 {
        var digits = ""
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first {
            guard byte != 10 else { return UInt64(digits) ?? 0 }
            digits.unicodeScalars.append(Unicode.Scalar(byte))
        }
        throw BenchmarkError("The process that writes has ended.")
    }

    func end() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// The work of the process.
    static func run(path: String) throws {
        let dal = try DataAccessLayer(.sqlite(path), entities: User.self, Company.self)
        say(0)
        var count = 0
        while readLine() != nil {
            count += 1
            let score = Double(count) + 0.5
            let start = now
            try dal.write { try User.find(User.ID(rawValue: 7), in: $0)?.score = score }
            say(start)
        }
        try dal.close()
    }

    private static func say(_ number: UInt64) {
        FileHandle.standardOutput.write(Data("\(number)\n".utf8))
    }

    /// The system's monotonic clock, which is the same in all processes.
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
