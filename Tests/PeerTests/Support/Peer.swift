#if Requests
import Foundation
import SkiathosLocks
import Spawning
import Synchronization
import Testing

/// A program of others that runs, in a directory of its own.
final class Peer: Sendable {
    struct NotStarted: Error {
        let program: Program
        let output: String
    }

    let directory: URL
    let port: Int
    private let program: Program
    private let words: [String]
    private let process = Lock<SpawnedProcess?>(nil)

    fileprivate init(
        _ program: Program, in directory: URL, port: Int, arguments: [String]
    ) throws {
        self.program = program
        self.directory = directory
        self.port = port
        words = [try #require(program.path)] + arguments
    }

    /// Where it answers.
    func url(_ scheme: String = "http", path: String = "") throws -> URL {
        try #require(URL(string: "\(scheme)://127.0.0.1:\(port)\(path)"))
    }

    /// Starts it, and returns when it accepts connections.
    func start() async throws {
        let log = directory.appending(path: "output")
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        let output = try FileHandle(forWritingTo: log)
        let started = try SpawnedProcess(
            words, directory: directory.path,
            SpawnedProcess.Streams(output: output.fileDescriptor, errors: output.fileDescriptor))
        process.withLock { $0 = started }
        guard await Ports.accepts(port) else {
            let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
            throw NotStarted(program: program, output: text)
        }
    }

    /// Sends it a signal.
    func signal(_ signal: Int32) {
        process.withLock { process in _ = process.map { kill($0.id, signal) } }
    }

    /// Ends it.
    func stop() async {
        let ended = process.withLock { process in
            defer { process = nil }
            return process
        }
        guard let ended else { return }
        kill(ended.id, SIGTERM)
        _ = await ended.end()
    }
}

/// Runs a program while the closure runs, from the moment at which it accepts connections.
///
/// - Parameter arguments: Makes its arguments for a directory of its own and a free port.
func withPeer(
    _ program: Program, arguments: @Sendable (URL, Int) throws -> [String],
    run: @Sendable (Peer) async throws -> Void
) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(
        path: "peer-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    // Programs that are started as root continue as another user, which has to write here too.
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: directory.path)
    let port = try Ports.free()
    let peer = try Peer(
        program, in: directory, port: port, arguments: try arguments(directory, port))
    let result: Result<Void, any Error>
    do {
        try await peer.start()
        result = .success(try await run(peer))
    } catch {
        result = .failure(error)
    }
    await peer.stop()
    try result.get()
}
#endif
