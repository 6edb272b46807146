#if Requests
import Foundation
import SkiathosLocks
import Spawning
import Testing

/// Runs a server that is not written in Swift in a process of its own while the closure runs.
///
/// The script prints its port as its first line, and is killed at the end.
@discardableResult
func withPeer<Value: Sendable>(
    _ script: String = "peer.py", _ arguments: [String] = [],
    run: @escaping @Sendable (URL) async throws -> Value
) async throws -> Value {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Peers/\(script)").path
    let pipe = Pipe()
    let peer = try SpawnedProcess(
        ["/usr/bin/env", "python3", path] + arguments,
        SpawnedProcess.Streams(output: pipe.fileHandleForWriting.fileDescriptor))
    try pipe.fileHandleForWriting.close()
    let result: Result<Value, any Error>
    do {
        let line = await firstLine(of: pipe.fileHandleForReading)
        let port = try #require(Int(line), "The peer said no port: \(line)")
        result = .success(try await run(try #require(URL(string: "http://127.0.0.1:\(port)"))))
    } catch {
        result = .failure(error)
    }
    kill(peer.id, SIGKILL)
    _ = await peer.end()
    return try result.get()
}

/// Reads on a thread of its own, since a pipe blocks.
func firstLine(of handle: FileHandle) async -> String {
    await withContinuation { continuation in
        Thread.detachNewThread {
            var line = Data()
            while let byte = try? handle.read(upToCount: 1), let byte = byte.first, byte != 10 {
                line.append(byte)
            }
            continuation.resume(returning: String(decoding: line, as: UTF8.self))
        }
    }
}
#endif
