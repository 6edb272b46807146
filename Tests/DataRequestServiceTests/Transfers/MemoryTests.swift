#if Requests
import Foundation
import Spawning
import TestSupport
import Testing

/// Transfers far larger than the memory that they may take, in a process of their own.
@Suite(.serialized, .generousTimeLimit) struct MemoryTests {
    private struct Report: Decodable {
        var count: Int64
        var same: Bool
        var seconds: Double
        var peakKiB: Int
    }

    @Test(arguments: ["download", "upload"])
    func `a gibibyte passes in less than 64 MB of memory`(_ direction: String) async throws {
        let count: Int64 = setting("TRANSFER_BYTES") ?? 1 << 30
        let report = try await withPeer { base in
            let line = try await outputLine(of: [
                child(), direction, base.absoluteString, "\(count)",
            ])
            return try JSONDecoder().decode(Report.self, from: Data(line.utf8))
        }
        #expect(report.count == count)
        #expect(report.same)
        #expect(report.peakKiB < 64_000_000 / 1024)
        print(
            "\(direction): \(count) bytes in \(report.seconds) s, at most \(report.peakKiB) KiB")
    }

    /// The executable, which is built beside the tests.
    private func child() throws -> String {
        #if os(Linux)
        let bundle = URL(filePath: CommandLine.arguments[0])
        #else
        let bundle =
            Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
            ?? URL(filePath: "/")
        #endif
        return bundle.deletingLastPathComponent().appending(path: "TransferChild").path
    }
}

/// Runs an executable and gives the first line that it writes.
func outputLine(of words: [String]) async throws -> String {
    let pipe = Pipe()
    let process = try SpawnedProcess(
        words, SpawnedProcess.Streams(output: pipe.fileHandleForWriting.fileDescriptor))
    try pipe.fileHandleForWriting.close()
    let line = await firstLine(of: pipe.fileHandleForReading)
    let status = await process.end()
    #expect(status == SpawnedProcess.Status(code: 0, wasKilled: false))
    return line
}
#endif
