import ReliabilityKit
import Skiathos
import SkiathosStore
import SkiathosTesting
import TestSupport
import Testing

@Suite(.generousTimeLimit) struct CancellationTests {
    @Test(arguments: Place.allCases)
    func `a write cancelled while it waits for its permit is never run`(_ place: Place) async throws
    {
        try await withStore(place) { dal in
            let runs = Log<Void>()
            try await dal.whileAWriteIsUnderWay {
                let task = Task {
                    try await dal.write { _ -> Void in runs.note(()) }
                }
                await dal.waitForWriters(1)
                task.cancel()
                // It comes back although the permit is still held.
                await #expect(throws: CancellationError.self) { _ = try await task.value }
                await dal.waitForWriters(0)
            }
            #expect(runs.entries.isEmpty)
            try await dal.write { try User.create(in: $0) }
        }
    }

    @Test(arguments: Place.allCases)
    func `an access by a cancelled task is never run`(_ place: Place) async throws {
        try await withStore(place) { dal in
            try await dal.write { try User.create(in: $0) }
            let runs = Log<Void>()
            let accesses: [@Sendable () async throws -> Void] = [
                { try await dal.write { _ -> Void in runs.note(()) } },
                { try await dal.read { _ -> Void in runs.note(()) } },
                {
                    _ = try await dal.read { _ -> Int in
                        runs.note(())
                        return 1
                    }
                },
                { try await dal.reset() },
                { try await dal.flush() },
                { _ = try await dal.integrityProblems() },
            ]
            for access in accesses {
                let task = Task {
                    cancelThisTask()
                    try await access()
                }
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            #expect(runs.entries.isEmpty)
            #expect(try await dal.read { try User.count(in: $0) } == 1)
        }
    }

    @Test(arguments: Place.allCases)
    func `a cancelled read waits for no handler of its task that waits for its connection`(
        _ place: Place
    ) async throws {
        var configuration = Configuration()
        configuration.readerCount = 1
        try await withStore(place, configuration: configuration) { dal in
            let counts = Log<Int>()
            let (hasBegun, begin) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                try await withTaskCancellationHandler {
                    try await dal.read { context in
                        begin.yield()
                        while !Task.isCancelled { _ = try User.count(in: context) }
                    }
                } onCancel: {
                    counts.note((try? Self.count(dal)) ?? -1)
                }
            }
            for await _ in hasBegun { break }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(counts.entries == [0])
        }
    }

    private static func count(_ dal: DataAccessLayer) throws -> Int {
        try dal.read { try User.count(in: $0) }
    }

    @Test(arguments: Place.allCases, [nil, QueryBudget(rows: 1000)])
    func `a cancelled read stops in the middle of its query`(
        _ place: Place, _ budget: QueryBudget?
    ) async throws {
        try await withStore(place) { dal in
            try await Self.addReadings(to: dal)
            let decoded = Log<Void>()
            let task = Task {
                let onRow: @Sendable () -> Void = {
                    decoded.note(())
                    if decoded.entries.count == 3 { cancelThisTask() }
                }
                return try await Reading.$onRow.withValue(onRow) {
                    guard let budget else {
                        return try await dal.read { try Reading.all(in: $0).count }
                    }
                    return try await dal.read(budget: budget) { try Reading.all(in: $0).count }
                }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(decoded.entries.count == 3)
            let count: Int = try await dal.read { try Reading.all(in: $0).count }
            #expect(count == 1000)
        }
    }

    @Test(arguments: Place.allCases)
    func `a read that blocks its thread does not end with the task that makes it`(
        _ place: Place
    ) async throws {
        @Sendable func count(_ dal: DataAccessLayer) throws -> Int {
            try dal.read { try Reading.all(in: $0).count }
        }
        try await withStore(place) { dal in
            try await Self.addReadings(to: dal)
            let task = Task {
                // Uses the connections, and leaves the task cancelled.
                await #expect(throws: CancellationError.self) {
                    try await Reading.$onRow.withValue({ cancelThisTask() }) {
                        try await dal.read { _ = try Reading.all(in: $0).count }
                    }
                }
                return try count(dal)
            }
            #expect(try await task.value == 1000)
        }
    }

    @Test func `cancelling an integrity check interrupts its connection`() async throws {
        let directory = try TemporaryDirectory()
        let interruptions = Log<Void>()
        let source = StoreSource.sqlite(directory.file("store.sqlite")).mapped {
            ForwardingStore($0, reader: { CancellingReader($0, interruptions) })
        }
        let dal = try await DataAccessLayer.open(source, entities: Reading.self)
        let check = Task { try await dal.integrityProblems() }
        await #expect(throws: CancellationError.self) { _ = try await check.value }
        let count = interruptions.entries.count
        #expect(count > 0)
        // Others check their task, at their end at the latest.
        let query = Task { try await dal.read { try Reading.count(in: $0) } }
        await #expect(throws: CancellationError.self) { _ = try await query.value }
        #expect(interruptions.entries.count == count)
        try await dal.close()
    }

    /// A reader whose reads cancel their task, and which notes its interruptions.
    private final class CancellingReader: ForwardingReader {
        let base: any StoreReader
        private let interruptions: Log<Void>

        init(_ base: any StoreReader, _ interruptions: Log<Void>) {
            self.base = base
            self.interruptions = interruptions
        }

        func read(_ body: (any StoreSession) throws -> Void) throws {
            try base.read { session in
                cancelThisTask()
                try body(session)
            }
        }

        func readReserved(_ body: (any StoreSession) throws -> Void) throws {
            try base.readReserved { session in
                cancelThisTask()
                try body(session)
            }
        }

        func interrupt() {
            interruptions.note(())
            base.interrupt()
        }
    }

    @Test(arguments: Place.allCases)
    func `a cancelled write stops in the middle of its query and changes nothing`(
        _ place: Place
    ) async throws {
        try await withStore(place) { dal in
            try await Self.addReadings(to: dal)
            let task = Task {
                try await Reading.$onRow.withValue({ cancelThisTask() }) {
                    try await dal.write { context in
                        try User.create(in: context)
                        try Reading.update(set: { [$0.level.set(to: -1)] }, in: context)
                        for reading in try Reading.all(in: context) { reading.level = -2 }
                    }
                }
            }
            await #expect(throws: CancellationError.self) { _ = try await task.value }
            let users: Int = try await dal.read { try User.count(in: $0) }
            let changed: Int = try await dal.read {
                try Reading.count(where: { $0.level < 0 }, in: $0)
            }
            #expect(users == 0)
            #expect(changed == 0)
            try await dal.write { try User.create(in: $0) }
        }
    }

    @Test(arguments: Place.allCases)
    func `a write cancelled after its last query is not committed`(_ place: Place) async throws {
        try await withStore(place) { dal in
            let task = Task {
                try await dal.write { context in
                    try User.create(in: context)
                    cancelThisTask()
                }
            }
            await #expect(throws: CancellationError.self) { _ = try await task.value }
            let count: Int = try await dal.read { try User.count(in: $0) }
            #expect(count == 0)
        }
    }

    @Test func `cancelling a close does not cut it short`() async throws {
        try await withStore { dal in
            let task = Task {
                cancelThisTask()
                try await dal.close()
            }
            try await task.value
            let error = await #expect(throws: DataAccessError.self) { try await dal.read { _ in } }
            #expect(error?.code == .closed)
        }
    }

    private static func addReadings(to dal: DataAccessLayer) async throws {
        try await dal.write { context in
            for level in 0..<1000 { try Reading.create(in: context) { $0.level = level } }
        }
    }
}
