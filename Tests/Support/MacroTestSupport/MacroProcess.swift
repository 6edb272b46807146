import Foundation
import MacroRequests
import SkiathosLocks
import SkiathosPlatformLibC
import Spawning
import Synchronization

/// A process that expands macros; it ends with this one.
struct MacroProcess: Sendable {
    /// Those that are not at work.
    ///
    /// There are as many as requests were made at a time, since each keeps a processor busy.
    private static let idle = Lock<[MacroProcess]>([])

    private let process: SpawnedProcess
    private let connection: Int32

    /// Asks a process, which is started if none is idle.
    static func answer(to request: MacroRequest) throws -> MacroAnswer {
        let line = try JSONEncoder().encode(request) + Data("\n".utf8)
        let process = try idle.withLock { $0.popLast() } ?? MacroProcess()
        // Kept only after an answer, so that one source which ends the process fails one test.
        guard process.send(line), let answer = process.receiveLine() else { throw process.ended() }
        idle.withLock { $0.append(process) }
        return try JSONDecoder().decode(MacroAnswer.self, from: answer)
    }

    private init() throws {
        // The build gives the suffix to what it makes for the machine that compiles.
        let path = Bundle.main.bundleURL.appendingPathComponent("MacroExpander-tool").path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw MacroProcessError(
                description:
                    "Expected the program that expands macros at \(path), where the build leaves it; found none. Build with the trait Macros, as 'make test' does."
            )
        }
        var ends: [Int32] = [-1, -1]
        // Closed from the beginning in all other processes that are started meanwhile, which would
        // keep this one from ending otherwise.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw SpawnedProcess.NotStarted(path: path, code: errno)
        }
        defer { close(ends[1]) }
        do {
            process = try SpawnedProcess(
                [path],
                SpawnedProcess.Streams(
                    input: ends[1], output: ends[1], errors: SpawnedProcess.relayedErrors))
        } catch {
            close(ends[0])
            throw error
        }
        connection = ends[0]
    }

    private func send(_ bytes: Data) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                // Without the flag, a process that has ended would end this one by a signal.
                let count = Glibc.send(
                    connection, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count,
                    Int32(MSG_NOSIGNAL))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    /// The next line, without its end; `nil` if the process has ended.
    private func receiveLine() -> Data? {
        var line = Data()
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while line.last != UInt8(ascii: "\n") {
            let count = recv(connection, &bytes, bytes.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            line += bytes.prefix(count)
        }
        return line.dropLast()
    }

    private func ended() -> MacroProcessError {
        close(connection)
        let status = process.wait()
        return MacroProcessError(
            description:
                "Expected an answer of the program that expands macros; it has ended, with \(status.wasKilled ? "signal" : "exit code") \(status.code). Its output among that of the tests says why."
        )
    }
}
