#if canImport(Glibc)
import Glibc
import ReliabilityKit
import TestSupport
import Testing

/// The processes that tests start.
@Suite(.seeded, .generousTimeLimit) struct SpawnedProcessTests {
    /// Sockets are open without the flag that closes them in programs: one that runs for long would keep
    /// the connections of other tests open.
    @Test func `a program that is started gets no descriptor of this process`() async throws {
        let file = open("/dev/null", O_RDONLY)
        defer { close(file) }
        #expect(file > STDERR_FILENO)
        let process = try SpawnedProcess(["/bin/sh", "-c", "test ! -e /proc/self/fd/\(file)"])
        let status = await process.end()
        #expect(status.code == 0)
        #expect(!status.wasKilled)
    }

    /// Whatever reads the standard error to its end would wait for a program that outlives this process.
    @Test func `a program that is started has a standard error of its own`() async throws {
        let script = "test \"$(readlink /proc/$$/fd/2)\" != \"$(readlink /proc/\(getpid())/fd/2)\""
        let process = try SpawnedProcess(
            ["/bin/sh", "-c", script], .init(errors: SpawnedProcess.relayedErrors))
        #expect(await process.end().code == 0)
    }

    #if Lifecycle
    @Test func `a child that waits for a signal ends with its parent`() async throws {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        #expect(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        try await withPlan { plan in
            plan.trapsFirst = true
            plan.opensLate = true
            let process = try SpawnedProcess(
                [ChildProcess.executable] + plan.arguments,
                .init(output: ends[1], errors: SpawnedProcess.relayedErrors))
            close(ends[1])
            // The first line, after which it waits.
            var byte: UInt8 = 0
            #expect(read(ends[0], &byte, 1) == 1)
            close(ends[0])
            #expect(await process.end().code == ChildProcess.codeOfOrphans)
        }
    }
    #endif
}
#endif
