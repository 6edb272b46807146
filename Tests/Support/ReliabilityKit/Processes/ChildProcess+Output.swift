#if canImport(Glibc)
import Foundation
import Glibc
import SkiathosTesting

extension ChildProcess {
    /// Runs the child with arguments to its end, and returns the lines that it has printed.
    static func output(
        of arguments: [String], environment: [String: String] = [:]
    ) async throws -> ([String], SpawnedProcess.Status) {
        let directory = try TemporaryDirectory()
        let path = directory.file("output")
        let output = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw SpawnedProcess.NotStarted(path: path, code: errno) }
        defer { close(output) }
        let process = try SpawnedProcess(
            [executable] + arguments, environment: environment,
            SpawnedProcess.Streams(output: output, errors: SpawnedProcess.relayedErrors))
        let status = await process.end()
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return (text.split(separator: "\n").map(String.init), status)
    }
}

extension String {
    /// What follows a word at the beginning, if it begins with that.
    func rest(after word: String) -> String? {
        hasPrefix(word) ? String(dropFirst(word.count)) : nil
    }
}
#endif
