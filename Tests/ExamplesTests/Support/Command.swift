import Foundation
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
    let id: Int32
    private let process = Process()
    private let files: TemporaryDirectory
    private let end: AsyncStream<Void>

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
        process.executableURL = command.executable
        process.arguments = arguments
        // The compiler leaves directories behind where temporary files belong.
        process.environment = ProcessInfo.processInfo.environment
            .merging(["TMPDIR": files.path]) { $1 }
        process.currentDirectoryURL = URL(fileURLWithPath: command.directory)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try create("output")
        process.standardError = try errors ?? create("errors")
        let (end, continuation) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        self.files = files
        self.end = end
        id = process.processIdentifier
    }

    /// Waits for the end of the process.
    func outcome() async throws -> Outcome {
        for await _ in end {}
        func text(_ name: String) -> String {
            let data = FileManager.default.contents(atPath: files.file(name))
            return String(decoding: data ?? Data(), as: UTF8.self)
        }
        return Outcome(
            exitCode: process.terminationStatus,
            wasKilled: process.terminationReason == .uncaughtSignal,
            output: text("output"), errors: text("errors"))
    }
}
