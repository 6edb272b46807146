import Foundation
import SkiathosLocks
import SkiathosPlatformLibC
import SkiathosTesting
import Spawning
import Synchronization

/// A server as a process of its own, which ends with the test at the latest.
package final class ServerProcess {
    /// What a process that has ended leaves behind.
    package struct Outcome: Sendable {
        package let exitCode: Int32
        /// Whether a signal has ended it.
        package let wasKilled: Bool
        package let output: String
        package let errors: String
    }

    /// How long the server may take to stop, and a client may be silent, unless a test says otherwise.
    ///
    /// It takes a fraction of a second where the machine has nothing else to do.
    package static let deadline = Duration.seconds(600)

    package var id: Int32 { process.id }

    private let process: SpawnedProcess
    private let output: FileHandle
    private let files: TemporaryDirectory
    private let hasEnded = Lock(false)

    /// Starts a program of this package, which prints where it listens.
    package init(_ program: String, _ arguments: [String]) throws {
        files = try TemporaryDirectory()
        let file = URL(fileURLWithPath: files.file("errors"))
        try Data().write(to: file)
        let errors = try FileHandle(forWritingTo: file)
        let executable = Bundle.main.bundleURL.appendingPathComponent(program).path
        var ends: [Int32] = [-1, -1]
        // Closed from the beginning in all other processes that are started meanwhile, which would
        // hold the end of the output up otherwise.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw SpawnedProcess.NotStarted(path: executable, code: errno)
        }
        defer { close(ends[1]) }
        output = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        process = try SpawnedProcess(
            [executable] + arguments,
            SpawnedProcess.Streams(output: ends[1], errors: errors.fileDescriptor))
        withExtendedLifetime(errors) {}
    }

    deinit {
        // Only after a test that has failed.
        guard !hasEnded.withLock({ $0 }) else { return }
        kill(id, SIGKILL)
        let process = process
        Thread.detachNewThread { _ = process.wait() }
    }

    /// Waits until the server accepts connections.
    ///
    /// - Returns: The port; `nil` if the process has ended before.
    package func port() async -> UInt16? {
        let file = output
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
    package func send(_ signal: Int32) { kill(id, signal) }

    /// Waits for the end of the process.
    package func outcome() async throws -> Outcome {
        let file = output
        let output = await blocking { (try? file.readToEnd()) ?? Data() }
        let status = await process.end()
        hasEnded.withLock { $0 = true }
        let errors = FileManager.default.contents(atPath: files.file("errors")) ?? Data()
        return Outcome(
            exitCode: status.code, wasKilled: status.wasKilled,
            output: String(decoding: output, as: UTF8.self),
            errors: String(decoding: errors, as: UTF8.self))
    }
}

/// Runs a closure that blocks on a thread of its own.
package func blocking<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
    await withContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}
