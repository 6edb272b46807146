import Foundation
import ReliabilityKit
import SkiathosTesting

/// What a process that has ended leaves behind.
struct Outcome {
    let exitCode: Int32
    /// Whether a signal has ended it.
    let wasKilled: Bool
    let output: String
    let errors: String
}

/// Runs an executable as a process of its own.
struct Command {
    let executable: URL
    let directory: String

    /// Runs the executable to its end.
    func run(_ arguments: [String]) async throws -> Outcome {
        let process = try RunningProcess(self, arguments)
        return try await process.outcome()
    }
}

/// A process, whose output goes to files so that it never waits for a reader.
///
/// Waiting for its end blocks no thread.
struct RunningProcess {
    /// The number by which the system knows it.
    var id: Int32 { process.id }

    private let process: SpawnedProcess
    private let files: TemporaryDirectory

    /// Starts a process.
    ///
    /// - Parameter errors: Where its errors go instead of a file.
    init(_ command: Command, _ arguments: [String], errors: FileHandle? = nil) throws {
        let files = try TemporaryDirectory()
        func create(_ name: String) throws -> FileHandle {
            let file = URL(fileURLWithPath: files.file(name))
            try Data().write(to: file)
            return try FileHandle(forWritingTo: file)
        }
        let output = try create("output")
        let errors = try errors ?? create("errors")
        // The compiler leaves directories behind where temporary files belong.
        process = try SpawnedProcess(
            [command.executable.path] + arguments, directory: command.directory,
            environment: ["TMPDIR": files.path],
            SpawnedProcess.Streams(
                output: output.fileDescriptor, errors: errors.fileDescriptor))
        withExtendedLifetime((output, errors)) {}
        self.files = files
    }

    /// Waits for the end of the process; called once.
    func outcome() async throws -> Outcome {
        let status = await process.end()
        func text(_ name: String) -> String {
            let data = FileManager.default.contents(atPath: files.file(name))
            return String(decoding: data ?? Data(), as: UTF8.self)
        }
        return Outcome(
            exitCode: status.code, wasKilled: status.wasKilled, output: text("output"),
            errors: text("errors"))
    }
}
