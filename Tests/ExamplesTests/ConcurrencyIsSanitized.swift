import Foundation
import Testing

/// The build under the thread sanitizer leaves out what a single thread does, and what examines the remains
/// of stores, whose tasks are in the runs of ReliabilityKit and DeliveryKit.
struct ConcurrencyIsSanitized {
    /// Those of threads find `onThread` and `onOtherThread`, too.
    private static let signs = [
        "withTaskGroup", "withThrowingTaskGroup", "withDiscardingTaskGroup", "async let ", "Task {",
        "Task.detached", "concurrentPerform", "Thread {", "Thread(", "detachNewThread",
        "DispatchQueue",
        "Meeting(",
    ]

    private static func findings(in source: String) -> [String] {
        signs.filter { source.contains($0) }
    }

    @Test func `no test of several tasks is left out under the thread sanitizer`() async throws {
        let make = Command(
            executable: URL(fileURLWithPath: "/usr/bin/env"), directory: PackageDirectory.url.path)
        let outcome = try await make.run(["make", "--silent", "one-thread"])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        // Targets that are left out as a whole start programs, or give them to the compiler.
        let parts = outcome.output.split { $0.isWhitespace }.filter { $0.contains("/") }
        #expect(parts.count > 10)
        for part in parts {
            let path = "Tests/\(part)"
            let files =
                path.hasSuffix(".swift") ? [path] : try PackageDirectory.files("swift", under: path)
            #expect(!files.isEmpty, "The Makefile names \(part), which has no tests.")
            for file in files {
                let found = Self.findings(in: try PackageDirectory.text(of: file))
                #expect(
                    found.isEmpty,
                    "\(file) has \(found); take it out of ONE_THREAD in the Makefile.")
            }
        }
    }

    @Test func `tests with tasks and threads are found`() {
        #expect(Self.findings(in: "async let value = read()") == ["async let "])
        #expect(
            Self.findings(in: "Task { await read() }\nThread { work() }") == ["Task {", "Thread {"])
        #expect(Self.findings(in: "try onOtherThread(work)") == ["Thread("])
        #expect(Self.findings(in: "DispatchQueue.main.async(work)") == ["DispatchQueue"])
    }
}
