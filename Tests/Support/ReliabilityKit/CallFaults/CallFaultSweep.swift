#if canImport(Glibc)
import Foundation
import Glibc
import Spawning
import SkiathosTesting

/// Lets each call of the system fail in turn, in processes of their own.
package struct CallFaultSweep: Sendable {
    /// At how many places calls of a kind fail, at most.
    package var places: Int
    /// Whether each place fails with each error, once and for ever; otherwise they take turns.
    package var isExhaustive: Bool

    package init(places: Int, isExhaustive: Bool = false) {
        self.places = places
        self.isExhaustive = isExhaustive
    }

    /// What has come of a sweep.
    package struct Result: Sendable {
        /// How many faults there were in which a call has really failed.
        package var faults = 0
        /// How many calls each kind had without a fault.
        package var calls: [CallFault.Call: Int] = [:]
        /// The errors, each with the call that has met it.
        package var said: Set<String> = []
        /// What is wrong, in sentences.
        package var problems: [String] = []
    }

    /// Lets calls fail.
    package func run() async throws -> Result {
        let directory = try TemporaryDirectory()
        let library = directory.file("libcall_faults.so")
        try await CallFaultLibrary.build(library)
        var result = Result()
        let counts = try await count(directory, library, &result)
        let faults = faults(counts)
        let list = directory.file("faults")
        try faults.map(\.line).joined(separator: "\n")
            .write(toFile: list, atomically: true, encoding: .utf8)
        var next = 0
        while next < faults.count {
            let (lines, status) = try await ChildProcess.output(
                of: [CallFaultChild.word, list, "\(next)"], environment: ["LD_PRELOAD": library])
            var current = next
            for line in lines {
                if let number = line.rest(after: "begin ").flatMap({ Int($0) }) { current = number }
                if line.rest(after: "failed ") != nil { result.faults += 1 }
                note(line, &result)
            }
            guard !lines.contains("done") else { break }
            let end = status.wasKilled ? "by the signal \(status.code)" : "with \(status.code)"
            let fault = faults.indices.contains(current) ? "\(faults[current])" : "no fault"
            result.problems.append("\(fault): the process has ended \(end).")
            next = current + 1
        }
        withExtendedLifetime(directory) {}
        return result
    }

    private typealias Counts = [CallFault.Scene: [CallFault.Call: Int]]

    private func count(
        _ directory: TemporaryDirectory, _ library: String, _ result: inout Result
    ) async throws -> Counts {
        let empty = directory.file("none")
        try "".write(toFile: empty, atomically: true, encoding: .utf8)
        let (lines, status) = try await ChildProcess.output(
            of: [CallFaultChild.word, empty, "0"], environment: ["LD_PRELOAD": library])
        if status != SpawnedProcess.Status(code: 0, wasKilled: false) {
            result.problems.append("Without a fault the process has ended with \(status).")
        }
        var counts: Counts = [:]
        for line in lines {
            note(line, &result)
            let words = line.split(separator: " ")
            guard words.first == "count", words.count == 4,
                let scene = CallFault.Scene(rawValue: String(words[1])),
                let call = Int32(words[2]).flatMap({ CallFault.Call(rawValue: $0) }),
                let count = Int(words[3])
            else { continue }
            counts[scene, default: [:]][call] = count
            result.calls[call, default: 0] += count
        }
        return counts
    }

    private func faults(_ counts: Counts) -> [CallFault] {
        var faults: [CallFault] = []
        for scene in CallFault.Scene.allCases {
            for call in CallFault.Call.allCases {
                let count = counts[scene]?[call] ?? 0
                let errors = call.errors
                let number = min(places, count)
                for index in 0..<number {
                    let after = index * count / number
                    for (turn, error) in errors.enumerated() {
                        // A signal that never ends is none, and SQLite waits for a lock for ten seconds
                        // each time.
                        for isLasting in error == .signal || call == .lock
                            ? [false] : [false, true]
                        {
                            let isTurn =
                                turn == index % errors.count
                                && isLasting
                                    == ((index / errors.count).isMultiple(of: 2)
                                        && error != .signal)
                            guard isExhaustive || isTurn else { continue }
                            faults.append(
                                CallFault(scene, call, after: after, error, isLasting: isLasting))
                        }
                    }
                }
            }
        }
        return faults
    }

    private func note(_ line: String, _ result: inout Result) {
        if let problem = line.rest(after: "problem ") { result.problems.append(problem) }
        if let said = line.rest(after: "said ") { result.said.insert(said) }
    }
}

/// The library that makes calls fail, which is built when it is needed: part of a program, it would
/// stand between every test and the system.
enum CallFaultLibrary {
    /// It could not be built.
    struct NotBuilt: Error {
        let status: SpawnedProcess.Status
    }

    private static let source = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("CallFaults/call_faults.c").path

    /// Builds it by the compiler of the toolchain.
    static func build(_ path: String) async throws {
        let words = [
            "/usr/bin/env", "clang", "-shared", "-fPIC", "-O1", "-o", path, source, "-ldl",
        ]
        let compiler = try SpawnedProcess(
            words, SpawnedProcess.Streams(errors: SpawnedProcess.relayedErrors))
        let status = await compiler.end()
        guard status == SpawnedProcess.Status(code: 0, wasKilled: false) else {
            throw NotBuilt(status: status)
        }
    }
}
#endif
