#if Macros && Requests
import DataRequestService
import Foundation
import HTTPTypes
import SkiathosLocks
import SkiathosPlatformLibC
import ReliabilityKit
import Synchronization
import Testing

/// The server of the tutorials as a process of its own, which ends with the test at the latest.
///
/// It listens on a free port. What it prints names the port 8080, as the tutorial does.
final class TutorialServer: Sendable {
    /// What it has printed when it began to listen.
    let beginning: String
    private let port: Int
    private let process: SpawnedProcess
    /// What it prints after that.
    private let lines: AsyncStream<String>
    private let hasEnded = Lock(false)

    private init(
        _ process: SpawnedProcess, port: Int, beginning: [String], lines: AsyncStream<String>
    ) {
        (self.process, self.port, self.lines) = (process, port, lines)
        self.beginning = Self.text(beginning, port: port)
    }

    deinit {
        // Only after a test that has failed.
        guard !hasEnded.withLock({ $0 }) else { return }
        kill(process.id, SIGKILL)
        let process = process
        Thread.detachNewThread { _ = process.wait() }
    }

    /// Starts a server, and waits until it listens.
    static func start(_ program: String, in directory: String) async throws -> TutorialServer {
        var ends: [Int32] = [-1, -1]
        // Closed from the beginning in all other processes that are started meanwhile, which would
        // hold the end of the output up otherwise.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw SpawnedProcess.NotStarted(path: program, code: errno)
        }
        let output = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        defer { close(ends[1]) }
        // As in a terminal, errors and output come to the same place.
        let process = try SpawnedProcess(
            [program, "0"], directory: directory,
            SpawnedProcess.Streams(output: ends[1], errors: ends[1]))
        let lines = lines(of: output)
        var beginning: [String] = []
        for await line in lines {
            beginning.append(line)
            if let match = line.firstMatch(of: /listening on 127\.0\.0\.1:(\d+)$/),
                let port = Int(match.1)
            {
                return TutorialServer(process, port: port, beginning: beginning, lines: lines)
            }
        }
        _ = await process.end()
        throw NotListening(printed: beginning)
    }

    /// The server has ended before it listened.
    struct NotListening: Error {
        let printed: [String]
    }

    /// Tells the server to stop.
    func stop() { kill(process.id, SIGTERM) }

    /// Waits for its end, and returns all that it has printed; called once.
    func everything() async -> String {
        var later: [String] = []
        for await line in lines { later.append(line) }
        let status = await process.end()
        hasEnded.withLock { $0 = true }
        #expect(status == SpawnedProcess.Status(code: 0, wasKilled: false))
        return ([beginning] + [Self.text(later, port: port)]).joined(separator: "\n")
    }

    /// The body of the answer to a request, whatever its status.
    func answer(_ method: String, _ path: String, _ body: String?) async throws -> String {
        let base = try #require(URL(string: "http://127.0.0.1:\(port)"))
        let service = try DataRequestService.patient("shelf", at: base)
        let method = try #require(HTTPRequest.Method(method))
        var request = DataRequest(method, String(path.dropFirst())).expecting(.any)
        if let body {
            // The media type that curl sends with a body by default.
            request = request.body(
                .data(Data(body.utf8), contentType: "application/x-www-form-urlencoded"))
        }
        do {
            let data = try await service.data(for: request)
            _ = await service.shutDown(deadline: .zero)
            return String(decoding: data, as: UTF8.self)
        } catch {
            _ = await service.shutDown(deadline: .zero)
            throw error
        }
    }

    private static func text(_ lines: [String], port: Int) -> String {
        lines.joined(separator: "\n").replacing("127.0.0.1:\(port)", with: "127.0.0.1:8080")
    }

    /// The lines that come from a process, until it and all that it has started have ended.
    private static func lines(of output: FileHandle) -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                var line = Data()
                while let byte = try? output.read(upToCount: 1), !byte.isEmpty {
                    if byte == Data("\n".utf8) {
                        continuation.yield(String(decoding: line, as: UTF8.self))
                        line = Data()
                    } else {
                        line += byte
                    }
                }
                continuation.finish()
            }
        }
    }
}
#endif
