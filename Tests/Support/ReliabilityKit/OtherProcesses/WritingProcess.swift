#if canImport(Glibc)
import Foundation
import Glibc
import SkiathosLocks
import Synchronization

/// Another process that has a store open for writing, and writes to it when it is asked to.
package final class WritingProcess: Sendable {
    /// What it can be asked for.
    package enum Command: Sendable {
        /// Commit the text of an item, which is created if there is none of that name.
        case write(String, String)
        /// Commit so many writes.
        case writeMany(Int)
        /// Commit the deletion of an item.
        case delete(String)
        /// Run a write that changes nothing.
        case changeNothing
        /// Close the store and open it again.
        case reopen

        init?(line: String) {
            let words = line.split(separator: " ").map(String.init)
            switch (words.first, words.count) {
            case ("write", 3): self = .write(words[1], words[2])
            case ("many", 2): self = .writeMany(Int(words[1]) ?? 0)
            case ("delete", 2): self = .delete(words[1])
            case ("nothing", 1): self = .changeNothing
            case ("reopen", 1): self = .reopen
            default: return nil
            }
        }

        fileprivate var line: String {
            switch self {
            case .write(let name, let text): "write \(name) \(text)"
            case .writeMany(let count): "many \(count)"
            case .delete(let name): "delete \(name)"
            case .changeNothing: "nothing"
            case .reopen: "reopen"
            }
        }
    }

    /// It has ended before it had done what it was asked for.
    package struct Ended: Error {}

    private let process: SpawnedProcess
    /// Where it gets commands and answers; held during each.
    private let socket: Lock<Int32>

    /// Runs a closure with a process that has opened the store at a path for writing, and ends the
    /// process.
    ///
    /// - Parameters:
    ///   - path: The path of the store.
    ///   - checkpointSize: `Configuration.checkpointSize` of the process.
    package static func run<R>(
        writing path: String, checkpointSize: Int = 16 << 20,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (WritingProcess) async throws -> R
    ) async throws -> R {
        let process = try WritingProcess(path, checkpointSize)
        let result: Result<R, any Error>
        do {
            try await process.awaitAnswer()
            result = .success(try await body(process))
        } catch {
            result = .failure(error)
        }
        process.socket.withLock { socket in
            close(socket)
            socket = -1
        }
        _ = await process.process.end()
        return try result.get()
    }

    private init(_ path: String, _ checkpointSize: Int) throws {
        let executable = ChildProcess.executable
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw SpawnedProcess.NotStarted(path: executable, code: errno)
        }
        defer { close(ends[1]) }
        do {
            process = try SpawnedProcess(
                [executable, WritingChild.word, path, "\(checkpointSize)"],
                SpawnedProcess.Streams(
                    input: ends[1], output: ends[1], errors: SpawnedProcess.relayedErrors))
        } catch {
            close(ends[0])
            throw error
        }
        socket = Lock(ends[0])
    }

    /// Has it do something, and waits until it is done.
    package func run(_ command: Command) async throws {
        try await withThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try self.runBlocking(command) })
            }
        }
    }

    /// The same, blocking the thread.
    package func runBlocking(_ command: Command) throws {
        try socket.withLock { socket in
            let bytes = Array((command.line + "\n").utf8)
            // No signal if it was killed.
            guard send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
            else { throw Ended() }
            try Self.receiveAnswer(socket)
        }
    }

    /// Kills it at once.
    package func kill() { Glibc.kill(process.id, SIGKILL) }

    /// Stops it where it is; returns when it stands still.
    package func pause() {
        Glibc.kill(process.id, SIGSTOP)
        var status: Int32 = 0
        while waitpid(process.id, &status, WUNTRACED) < 0, errno == EINTR {}
    }

    /// Lets it go on after `pause`.
    package func resume() { Glibc.kill(process.id, SIGCONT) }

    private func awaitAnswer() async throws {
        try await withThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try self.socket.withLock { try Self.receiveAnswer($0) } })
            }
        }
    }

    private static func receiveAnswer(_ socket: Int32) throws {
        var answer: [UInt8] = []
        var byte: UInt8 = 0
        while byte != UInt8(ascii: "\n") {
            guard recv(socket, &byte, 1, 0) == 1 else { throw Ended() }
            answer.append(byte)
        }
        // A process that crashes may write something else to its output.
        guard answer == Array("\(WritingChild.answer)\n".utf8) else { throw Ended() }
    }
}
#endif
