import Foundation
import SkiathosTesting
import TestSupport
import Testing

/// A step of the checks that stands still would be ended from outside, without a word of where it stood.
@Suite(.generousTimeLimit) struct EndlessStepsAreReported {
    private let within = Command(
        executable: PackageDirectory.url.appendingPathComponent(".ci/within"),
        directory: PackageDirectory.url.path)

    @Test func `a command that does not end is ended with all that it runs, and they are named`()
        async throws
    {
        let files = try TemporaryDirectory()
        let (child, other) = (files.file("child"), files.file("other"))
        let outcome = try await within.run([
            "1", "sh", "-c", "flock \(child) sleep 3601 & flock \(other) sleep 3602",
        ])
        #expect(outcome.exitCode == 124)
        #expect(outcome.output.contains("has not ended within 1 s"))
        #expect(outcome.output.contains("sleep 3601"))
        #expect(outcome.output.contains("sleep 3602"))
        let flock = Command(
            executable: URL(fileURLWithPath: "/usr/bin/env"), directory: files.path)
        for file in [child, other] {
            // Fails while a process has the lock.
            #expect(try await flock.run(["flock", "--nonblock", file, "true"]).exitCode == 0)
        }
    }

    @Test(arguments: [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", 137)] as [(String, Int32)])
    func `a command that ends has its own exit code`(script: String, code: Int32) async throws {
        #expect(try await within.run(["3600", "sh", "-c", script]).exitCode == code)
    }

    @Test(arguments: [[], ["10"], ["-1", "true"], ["ten", "true"]])
    func `wrong arguments are answered with the usage`(arguments: [String]) async throws {
        let outcome = try await within.run(arguments)
        #expect(outcome.exitCode == 2)
        #expect(outcome.errors.contains(".ci/within SECONDS COMMAND"))
    }
}
