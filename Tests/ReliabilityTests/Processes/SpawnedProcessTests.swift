#if canImport(Glibc)
import Glibc
import ReliabilityKit
import TestSupport
import Testing

/// The processes that tests start.
@Suite(.generousTimeLimit) struct SpawnedProcessTests {
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
}
#endif
