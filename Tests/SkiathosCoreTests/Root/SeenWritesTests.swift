import Skiathos
import TestSupport
import Testing

@testable import SkiathosCore

/// A write sees merged writes; a caller that learns of such a write sees it too.
@Suite(.generousTimeLimit) struct SeenWritesTests {
    private struct Refused: Error {
        let count: Int
    }

    /// The write that waits for its commit leaves it to those in line, and the next one ends
    /// without having changed anything, while another has the permit.
    @Test(arguments: Place.allCases, [false, true])
    func `a later read sees what a write without changes has seen`(
        _ place: Place, isRefused: Bool
    ) async throws {
        var configuration = Configuration()
        configuration.commitInterval = .seconds(3600)
        try await withStore(place, configuration: configuration) { dal in
            let door = Door()
            let tasks = Log<Task<Void, any Error>>()
            let seen = Log<Task<Int, Never>>()
            try await dal.whileAWriteIsUnderWay {
                tasks.note(
                    Task {
                        try await dal.write(acknowledging: .committed) { try User.create(in: $0) }
                    })
                await dal.waitForWriters(1)
                seen.note(Task { await Self.count(dal, isRefused) })
                await dal.waitForWriters(2)
                tasks.note(
                    Task { try await onThread { _ = try dal.write { _ in door.pass() } } })
                await dal.waitForWriters(3)
            }
            for task in seen.entries { #expect(await task.value == 1) }
            if place == .memory { door.open() }
            let count: Int = try await dal.read { try User.count(in: $0) }
            #expect(count == 1)
            door.open()
            for task in tasks.entries { try await task.value }
        }
    }

    private static func count(_ dal: DataAccessLayer, _ isRefused: Bool) async -> Int {
        do {
            return try await dal.write { context in
                let count = try User.count(in: context)
                if isRefused { throw Refused(count: count) }
                return count
            }
        } catch {
            return (error as? Refused)?.count ?? -1
        }
    }
}
