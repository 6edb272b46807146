#if Macros && Networking
import Foundation
import SkiathosTesting

/// The server as a process of its own, which ends with the test at the latest.
final class ServerProcess {
    /// What a process that has ended leaves behind.
    struct Outcome {
        let exitCode: Int32
        /// Whether a signal has ended it.
        let wasKilled: Bool
        let output: String
        let errors: String
    }

    let id: Int32
    private let process = Process()
    private let output = Pipe()
    private let files: TemporaryDirectory
    private let end: AsyncStream<Void>

    /// Starts the server on the loopback address; without a port, on a free one.
    init(store path: String, port: UInt16 = 0, _ arguments: [String] = []) throws {
        files = try TemporaryDirectory()
        let errors = URL(fileURLWithPath: files.file("errors"))
        try Data().write(to: errors)
        process.executableURL = Bundle.main.bundleURL.appendingPathComponent("NotesServer")
        process.arguments = ["--path", path, "--port", "\(port)"] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        let (end, continuation) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in continuation.finish() }
        self.end = end
        try process.run()
        id = process.processIdentifier
    }

    deinit {
        // Only after a test that has failed.
        if process.isRunning { kill(id, SIGKILL) }
    }

    /// Waits until the server accepts connections.
    ///
    /// - Returns: The port; `nil` if the process has ended before.
    func port() async -> UInt16? {
        let file = output.fileHandleForReading
        let line = await blocking {
            var line = Data()
            while let byte = try? file.read(upToCount: 1), !byte.isEmpty, byte != Data("\n".utf8) {
                line += byte
            }
            return String(decoding: line, as: UTF8.self)
        }
        return line.firstMatch(of: /^Listening on http:\/\/127\.0\.0\.1:(\d+)$/)
            .flatMap { UInt16($0.1) }
    }

    /// Tells this process to stop.
    func send(_ signal: Int32) { kill(id, signal) }

    /// Waits for the end of the process.
    func outcome() async throws -> Outcome {
        for await _ in end {}
        let file = output.fileHandleForReading
        let output = await blocking { (try? file.readToEnd()) ?? Data() }
        let errors = FileManager.default.contents(atPath: files.file("errors")) ?? Data()
        return Outcome(
            exitCode: process.terminationStatus,
            wasKilled: process.terminationReason == .uncaughtSignal,
            output: String(decoding: output, as: UTF8.self),
            errors: String(decoding: errors, as: UTF8.self))
    }
}

/// Runs a closure that blocks on a thread of its own.
func blocking<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}
#endif
