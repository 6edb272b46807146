import Foundation
import SkiathosTesting
import TestSupport
import Testing

/// A step of the checks that stands still would be ended from outside, without a word of where it stood.
@Suite(.generousTimeLimit) struct EndlessStepsAreReported {
    private let within = Command(
        executable: PackageDirectory.url.appendingPathComponent(".ci/within"),
        directory: PackageDirectory.url.path)

    @Test(arguments: [
        (["1"], "has not ended within 1 s"), (["3600", "--idle", "2"], "has stood still for 2 s"),
    ])
    func `a command that does not end is ended with all that it runs, and they are named`(
        limits: [String], reason: String
    ) async throws {
        let files = try TemporaryDirectory()
        let (child, other) = (files.file("child"), files.file("other"))
        let outcome = try await within.run(
            limits + ["sh", "-c", "flock \(child) sleep 3601 & flock \(other) sleep 3602"])
        #expect(outcome.exitCode == 124)
        #expect(outcome.output.contains(reason))
        #expect(outcome.output.contains("sleep 3601"))
        #expect(outcome.output.contains("sleep 3602"))
        let flock = Command(
            executable: URL(fileURLWithPath: "/usr/bin/env"), directory: files.path)
        for file in [child, other] {
            // Fails while a process has the lock.
            #expect(try await flock.run(["flock", "--nonblock", file, "true"]).exitCode == 0)
        }
    }

    @Test func `threads are described where there is no debugger, too`() async throws {
        let files = try TemporaryDirectory()
        let env = Command(
            executable: URL(fileURLWithPath: "/usr/bin/env"), directory: files.path)
        // The Python on the path may be a script that needs more than these three.
        let linked = try await env.run([
            "sh", "-c",
            """
            ln -s "$(python3 -c 'import sys; print(sys.executable)')" python3
            ln -s "$(command -v sh)" "$(command -v sleep)" .
            """,
        ])
        try #require(linked.exitCode == 0, "\(linked.errors)")
        let outcome = try await env.run(
            ["PATH=\(files.path)", within.executable.path, "1", "sh", "-c", "sleep 3603; exit 1"])
        #expect(outcome.exitCode == 124)
        #expect(outcome.output.contains(/thread \d+ of \d+, sleep: \S* in system call \d/))
    }

    @Test func `a process whose child was ended has time to write what it knows`() async throws {
        let script = """
            import subprocess, time
            subprocess.run(["sleep", "3604"])
            time.sleep(2)
            print("heard", 6 * 7)
            """
        let outcome = try await within.run(["1", "python3", "-c", script])
        #expect(outcome.exitCode == 124)
        #expect(outcome.output.contains("heard 42"))
    }

    @Test func `tests that have begun and not ended are named with their last case`() async throws {
        let files = try TemporaryDirectory()
        let log = """
            ◇ Test run started.
            ◇ Test "of an earlier run" started.
            ◇ Test run started.
            \u{1B}[90m◇\u{1B}[0m Test "passed" started.
            ◇ Test "failed" started.
            ◇ Test "passed with cases" started.
            ◇ Test case passing 1 argument seed → 1 to "passed with cases" started.
            ◇ Test "stands still" started.
            ◇ Test "stands still in a case" started.
            ◇ Test case passing 1 argument seed → 1 to "stands still in a case" started.
            ◇ Test case passing 1 argument seed → 2 to "stands still in a case" started.
            \u{1B}[92m✔\u{1B}[0m Test "passed" passed after 0.001 seconds.
            ✘ Test "failed" failed after 0.001 seconds with 1 issue.
            ✔ Test "passed with cases" with 1 test case passed after 0.001 seconds.
            """
        try Data(log.utf8).write(to: URL(fileURLWithPath: files.file("log")))
        let unfinished = Command(
            executable: PackageDirectory.url.appendingPathComponent(".ci/unfinished"),
            directory: files.path)
        let outcome = try await unfinished.run(["log"])
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(
            Set(outcome.output.split(separator: "\n")) == [
                #"Test "stands still" started."#,
                #"Test case passing 1 argument seed → 2 to "stands still in a case" started."#,
            ])
    }

    @Test(arguments: [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", 137)] as [(String, Int32)])
    func `a command that ends has its own exit code`(script: String, code: Int32) async throws {
        #expect(try await within.run(["3600", "sh", "-c", script]).exitCode == code)
    }

    @Test func `a command that works does not stand still`() async throws {
        let script = "end=$(($(date +%s) + 5)); while [ $(date +%s) -lt $end ]; do :; done"
        #expect(try await within.run(["3600", "--idle", "2", "sh", "-c", script]).exitCode == 0)
    }

    @Test(arguments: [[], ["10"], ["10", "--idle", "true"], ["-1", "true"], ["ten", "true"]])
    func `wrong arguments are answered with the usage`(arguments: [String]) async throws {
        let outcome = try await within.run(arguments)
        #expect(outcome.exitCode == 2)
        #expect(outcome.errors.contains(".ci/within SECONDS"))
    }
}
