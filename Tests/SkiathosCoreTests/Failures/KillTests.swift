import Foundation
import Skiathos
import SkiathosTesting
import Testing

#if canImport(Glibc)
import Glibc

/// Processes that are killed under load lose nothing that they were told is committed.
@Suite(.serialized, .timeLimit(.minutes(2))) struct KillTests {
    /// How many users each write makes, all or none of which must be there.
    private static let usersPerWrite = 3
    /// How many acknowledgements all processes together must have had before the test has shown
    /// anything.
    private static let leastLoad = 2_000

    @Test func `what was acknowledged as committed survives kill -9 at any moment`() async throws {
        var acknowledged = 0
        var cycle = 0
        while cycle < 30 || acknowledged < Self.leastLoad {
            cycle += 1
            let seed = UInt64.random(in: .min ... .max)
            let store = try TemporaryStore()
            // Each write appends its number here when it is acknowledged.
            let log = store.directory.file("acknowledged")
            await #expect(processExitsWith: .signal(SIGKILL), "cycle \(cycle), seed \(seed)") {
                [path = store.path as String, log = log as String, seed = seed as UInt64] in
                try await KillTests.writeUntilKilled(path, log, seed)
            }
            let numbers = try Self.numbers(in: log)
            acknowledged += numbers.count
            let dal = try await store.open()
            let problems = try await dal.integrityProblems()
            #expect(problems == [], "seed \(seed)")
            let users: [User] = try await dal.read { try User.all(in: $0) }
            let groups = Dictionary(grouping: users, by: \.age).mapValues(\.count)
            #expect(numbers.subtracting(groups.keys).isEmpty, "lost, seed \(seed)")
            #expect(groups.values.allSatisfy { $0 == Self.usersPerWrite }, "torn, seed \(seed)")
            try await dal.close()
        }
    }

    /// Writes from threads and tasks, until a thread that the seed tells when ends the process.
    private static func writeUntilKilled(
        _ path: String, _ log: String, _ seed: UInt64
    ) async throws {
        var random = SplitMix(state: seed)
        let dal = try await DataAccessLayer.fixture(at: path)
        let file = open(log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        try #require(file >= 0)
        let microseconds = UInt32.random(in: 1_000...80_000, using: &random)
        Thread.detachNewThread {
            // The moment is the point of the test; nothing waits for it.
            usleep(microseconds)
            kill(getpid(), SIGKILL)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for number in 0... {
                        let age = number * 8 + writer
                        let level: Acknowledgement = number % 5 == 4 ? .durable : .committed
                        let write: @Sendable (WriteContext) throws -> Void = { context in
                            for part in 0..<usersPerWrite {
                                try User.create(in: context) {
                                    $0.age = age
                                    $0.lastname = "\(part)"
                                }
                            }
                        }
                        if writer.isMultiple(of: 4) {
                            try await onThread {
                                _ = try dal.write(acknowledging: level, write)
                            }
                        } else {
                            try await dal.write(acknowledging: level, write)
                        }
                        // One call, so that a line is there as a whole or not at all.
                        let line = Array("\(age)\n".utf8)
                        guard Glibc.write(file, line, line.count) == line.count else { return }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func numbers(in log: String) throws -> Set<Int> {
        guard FileManager.default.fileExists(atPath: log) else { return [] }
        let text = try String(contentsOfFile: log, encoding: .utf8)
        return Set(text.split(separator: "\n").compactMap { Int($0) })
    }
}
#endif
