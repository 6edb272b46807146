#if Macros && Hummingbird
import Foundation
import SkiathosTesting
import Spawning
import TestSupport
import Testing

/// The page in Chromium, driven from `Browser/board.py`.
@Suite(.generousTimeLimit) struct BrowserTests {
    private static let isWanted = ProcessInfo.processInfo.environment["PEERS"] != nil

    /// Where Chromium is; `nil` if it is not installed, which is said once.
    private static let browser: String? = {
        guard isWanted else { return nil }
        let found = ["chromium", "chromium-browser", "google-chrome"].map { "/usr/bin/\($0)" }
            .first(where: FileManager.default.isExecutableFile)
        if found == nil { print("There is no chromium: make setup-peers installs it.") }
        return found
    }()

    @Test(.enabled(if: browser != nil, "make test-peers runs it where chromium is installed."))
    func `the board works by mouse, keyboard and touch, through restarts, light and dark`()
        async throws
    {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Browser/board.py").path
        let directory = try TemporaryDirectory()
        let log = directory.file("log")
        try Data().write(to: URL(fileURLWithPath: log))
        let output = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        let process = try SpawnedProcess(
            [
                "/usr/bin/env", "python3", script, "--browser", try #require(Self.browser),
                "--server", Bundle.main.bundleURL.appendingPathComponent("LiveBoard").path,
            ],
            SpawnedProcess.Streams(
                output: output.fileDescriptor, errors: output.fileDescriptor))
        let status = await process.end()
        let text = try String(contentsOfFile: log, encoding: .utf8)
        #expect(status.code == 0 && !status.wasKilled, "\(text)")
        #expect(text.contains("Ran 12 tests"), "\(text)")
    }
}
#endif
