#if canImport(Glibc)
internal import FaultVFS
import Foundation
import Glibc

/// The process in which SQLite's memory runs out, which would reach every store of another one.
package enum MemoryFaultChild {
    /// The first argument of such a process.
    package static let word = "memory-faults"
    /// How many seconds it may take before it counts as a hang.
    private static let patience: UInt32 = 600

    /// Lets as many allocations fail as the arguments say.
    package static func run(_ arguments: [String]) async throws {
        guard arguments.count == 3, let limit = Int(arguments[1]), let seed = UInt64(arguments[2]),
            fault_memory_install() == 0
        else { exit(64) }
        alarm(patience)
        let result = try await JoinedBatchSweep(limit: limit, seed: seed).runWithoutMemory()
        for problem in result.problems { say("problem \(problem)") }
        say("faults \(result.faults)")
        say("done")
        exit(0)
    }

    private static func say(_ text: String) {
        let line = text.replacing("\n", with: " ") + "\n"
        _ = line.withCString { Glibc.write(STDOUT_FILENO, $0, strlen($0)) }
    }
}

extension JoinedBatchSweep {
    /// Lets allocations fail, in a process of its own.
    package func runInOwnProcess() async throws -> Result {
        var result = Result()
        let (lines, status) = try await ChildProcess.output(
            of: [MemoryFaultChild.word, "\(limit)", "\(seed)"])
        result.problems = lines.compactMap { $0.rest(after: "problem ") }
        result.faults =
            lines.compactMap { $0.rest(after: "faults ") }.compactMap { Int($0) }.first ?? 0
        if !lines.contains("done") {
            result.problems.append("The process has hung or died: \(status).")
        }
        return result
    }
}
#endif
