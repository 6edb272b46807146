import Logging
import Skiathos
import SkiathosLocks
import SkiathosStore
import SkiathosTesting
import Synchronization
import TestSupport
import Testing

@testable import SkiathosCore

@Suite(.generousTimeLimit) struct StatementLogTests {
    /// A clock that moves by a step of the test's at each reading, so that a statement takes as long
    /// as the step.
    private final class SteppingClock: Sendable {
        private struct State: Sendable {
            var now = ContinuousClock.now
            var step = Duration.zero
        }

        private let state = Lock(State())

        func setStep(_ step: Duration) { state.withLock { $0.step = step } }

        func read() -> ContinuousClock.Instant {
            state.withLock { state in
                state.now += state.step
                return state.now
            }
        }
    }

    private let log = Log<LoggedStatement>()

    /// Everything that was logged of a table, which the checks of the fixture do not query.
    private func statements(_ access: LoggedStatement.Access) -> [LoggedStatement] {
        log.entries.filter { $0.access == access && $0.sql.contains(#""user""#) }
    }

    private func configuration(_ statementLog: StatementLog) -> Configuration {
        var configuration = Configuration()
        configuration.statementLog = statementLog
        configuration.label = "people"
        return configuration
    }

    private func withLoggedStore(
        _ place: Place = .file, includesValues: Bool = false,
        _ body: @Sendable (DataAccessLayer) async throws -> Void
    ) async throws {
        let log = log
        let configuration = configuration(
            .all(includesValues: includesValues) { log.note($0) })
        try await withStore(place, configuration: configuration, body)
    }

    @Test(arguments: Place.allCases)
    func `a logged statement has its access, its rows and the store's label, and no value`(
        _ place: Place
    ) async throws {
        try await withLoggedStore(place) { dal in
            try await dal.write { context in
                for name in ["Ada", "Grace"] {
                    try User.create(in: context) { $0.lastname = name }
                }
            }
            let users: [User] = try await dal.read {
                try User.all(where: { $0.lastname != "Mary" }, in: $0)
            }
            #expect(users.count == 2)
            let write = try #require(statements(.write).first { $0.sql.hasPrefix("INSERT") })
            #expect(write.store == "people")
            let read = try #require(statements(.read).first)
            #expect(read.sql.hasPrefix("SELECT"))
            #expect(read.rows == 2)
            #expect(read.isFullScan)
            #expect(read.plan.isEmpty)
            #expect(read.store == "people")
            for statement in log.entries {
                for value in ["Ada", "Grace", "Mary"] {
                    #expect(!statement.sql.contains(value), "\(statement.sql)")
                }
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `the values of a read stand in its statement when that is asked for`(
        _ place: Place
    ) async throws {
        try await withLoggedStore(place, includesValues: true) { dal in
            try await dal.write { try User.create(in: $0) { $0.lastname = "Ada" } }
            let count: Int = try await dal.read {
                try User.count(where: { $0.lastname == "O'Hara" }, in: $0)
            }
            #expect(count == 0)
            let read = try #require(statements(.read).first)
            #expect(read.sql.contains("'O''Hara'"), "\(read.sql)")
        }
    }

    @Test(arguments: Place.allCases)
    func `a threshold passes the slow statement alone, with its plan`(
        _ place: Place
    ) async throws {
        let clock = SteppingClock()
        let log = log
        var statementLog = StatementLog(threshold: .milliseconds(100)) { log.note($0) }
        statementLog.now = { clock.read() }
        try await withStore(place, configuration: configuration(statementLog)) { dal in
            try await dal.write { context in
                for age in 0..<3 { try User.create(in: context) { $0.age = age } }
            }
            try await dal.read { (context: ReadContext) throws in
                #expect(try User.count(in: context) == 3)
                clock.setStep(.milliseconds(99))
                #expect(try User.count(in: context) == 3)
                clock.setStep(.milliseconds(100))
                #expect(try User.count(where: { $0.score > 1 }, in: context) == 0)
                clock.setStep(.zero)
                #expect(try User.count(in: context) == 3)
            }
        }
        #expect(log.entries.count == 1)
        let slow = try #require(log.entries.first)
        #expect(slow.duration == .milliseconds(100))
        #expect(slow.sql.contains(#""score""#))
        #expect(slow.isFullScan)
        #expect(slow.plan.contains { $0.hasPrefix("SCAN") }, "\(slow.plan)")
        #expect(slow.access == .read)
    }

    @Test func `a slow statement is a warning of the store's logger, with its place and plan`()
        async throws
    {
        let record = RecordedLog()
        var configuration = configuration(.slowQueries(over: .zero))
        configuration.logger = record.logger
        let line = #line + 3
        try await withStore(configuration: configuration) { dal in
            try await dal.write { try User.create(in: $0) { $0.lastname = "Ada" } }
            let _: Int = try await dal.read { try User.count(where: { $0.score > 1 }, in: $0) }
        }
        let warning = try #require(
            record.entries.entries.first { $0.message.contains("count(") })
        #expect(warning.level == .warning)
        #expect(warning.metadata["skiathos.place"] == "\(#fileID):\(line)")
        #expect(warning.metadata["skiathos.store"] == "people")
        #expect(warning.metadata["skiathos.access"] == "read")
        #expect(warning.metadata["skiathos.statement.rows"] == "1")
        guard case .array(let plan) = warning.metadata["skiathos.statement.plan"] else {
            Issue.record("There is no plan: \(warning.metadata)")
            return
        }
        #expect(plan.contains { "\($0)".contains("user") })
        for entry in record.entries.entries { #expect(!"\(entry)".contains("Ada")) }
    }

    @Test func `every form of read names the line of its call`() async throws {
        try await withLoggedStore { dal in
            var lines: [Int] = []
            lines.append(#line + 1)
            let _: Int = try await dal.read { try User.count(in: $0) }
            lines.append(#line + 1)
            try await dal.read { _ = try User.count(in: $0) }
            lines.append(#line + 1)
            let _: Int = try await onThread { try dal.read { try User.count(in: $0) } }
            lines.append(#line + 1)
            try await onThread { try dal.read { _ = try User.count(in: $0) } }
            lines.append(#line + 2)
            let budget = QueryBudget(statements: 1)
            let _: Int = try await dal.read(budget: budget) { try User.count(in: $0) }
            let chained: Chained<Int> = try await dal.write { _ in 1 }
            lines.append(#line + 1)
            let _: Int = try await chained.read { try User.count(in: $0) + $1 }
            #expect(statements(.read).map(\.place) == lines.map { "\(#fileID):\($0)" })
        }
    }

    @Test func `every form of write names the line of its call`() async throws {
        try await withLoggedStore { dal in
            let ages = Lock(0)
            let count: @Sendable (WriteContext) throws -> Int = { context in
                let number = ages.withLock { age in
                    age += 1
                    return age
                }
                try User.create(in: context) { $0.age = number }
                return number
            }
            let create: @Sendable (WriteContext) throws -> Void = { _ = try count($0) }
            var lines: [Int] = []
            lines.append(#line + 1)
            try await dal.write(create)
            lines.append(#line + 1)
            let _: Int = try await dal.write(count)
            lines.append(#line + 1)
            let chained: Chained<Int> = try await dal.write(count)
            lines.append(#line + 1)
            try await chained.write { context, _ in try create(context) }
            lines.append(#line + 1)
            try await onThread { try dal.write(create) }
            lines.append(#line + 1)
            let _: Int = try await onThread { try dal.write(count) }
            lines.append(#line + 2)
            let budget = QueryBudget(statements: 1)
            try await dal.write(budget: budget, create)
            lines.append(#line + 2)
            let _: Int = try await withThrowingContinuation { continuation in
                dal.write(count, completion: { continuation.resume(with: $0) })
            }
            lines.append(#line + 1)
            dal.enqueue(create)
            try await dal.flush()
            let places = lines.map { "\(#fileID):\($0)" }
            let log = log
            let isComplete = await happens {
                log.entries.filter { $0.sql.hasPrefix("INSERT INTO \"user\"") }.map(\.place)
                    == places
            }
            #expect(isComplete, "\(statements(.write).map(\.place)), expected \(places)")
        }
    }

    @Test(arguments: Place.allCases)
    func `commits, resets and nested scopes are logged as what they are`(
        _ place: Place
    ) async throws {
        try await withLoggedStore(place) { dal in
            try await dal.write { context in
                try User.create(in: context) { $0.age = 1 }
                try context.nested { inner in
                    try User.create(in: inner) { $0.age = 2 }
                    _ = try User.update(
                        where: { $0.age == 2 }, set: { [$0.age.set(to: 3)] }, in: inner)
                }
            }
            try await dal.reset()
            let log = log
            let isCommitted = await happens {
                log.entries.contains { $0.access == .commit && $0.sql == "COMMIT" }
            }
            #expect(isCommitted)
            #expect(log.entries.contains { $0.access == .write && $0.sql.hasPrefix("SAVEPOINT") })
            #expect(statements(.write).contains { $0.sql.hasPrefix("UPDATE") })
            #expect(statements(.reset).contains { $0.sql.hasPrefix("DELETE") })
            #expect(!log.entries.contains { $0.access == .read })
        }
    }

    @Test func `the statements of a failing write are logged`() async throws {
        struct Refusal: Error {}
        try await withLoggedStore { dal in
            await #expect(throws: Refusal.self) {
                try await dal.write { context in
                    try User.deleteAll(in: context)
                    throw Refusal()
                }
            }
            #expect(statements(.write).contains { $0.sql.hasPrefix("DELETE") })
        }
    }

    @Test(arguments: Place.allCases)
    func `an access with too many statements reports the first, and how many it drops`(
        _ place: Place
    ) async throws {
        let log = log
        var statementLog = StatementLog.all { log.note($0) }
        statementLog.limit = 3
        try await withStore(place, configuration: configuration(statementLog)) { dal in
            try await dal.read { context in
                for _ in 0..<5 { _ = try User.count(in: context) }
            }
            #expect(statements(.read).map(\.dropped) == [0, 0, 2])
        }
    }

    @Test func `the handler may call the store, and is not called for that`() async throws {
        let dals = Lock<DataAccessLayer?>(nil)
        let counts = Log<Int>()
        let log = log
        let configuration = configuration(
            .all { statement in
                log.note(statement)
                guard let dal = dals.withLock({ $0 }) else { return }
                let count: Int? = try? dal.read { try User.count(where: { $0.age == 7 }, in: $0) }
                let deleted: Int? = try? dal.write {
                    try User.deleteAll(where: { $0.age == 7 }, in: $0)
                }
                if let count, deleted != nil { counts.note(count) }
            })
        try await withStore(configuration: configuration) { dal in
            dals.withLock { $0 = dal }
            let _: Int = try await dal.read { try User.count(in: $0) }
            let _: Int = try await onThread { try dal.read { try User.count(in: $0) } }
            try await dal.write { try User.create(in: $0) }
            let written = counts.entries.count
            #expect(written >= 3)
            let _: Int = try await withThrowingContinuation { continuation in
                dal.write({ try User.count(in: $0) }, completion: { continuation.resume(with: $0) })
            }
            dal.enqueue { _ = try User.count(in: $0) }
            try await dal.flush()
            #expect(await happens { counts.entries.count >= written + 2 })
            dals.withLock { $0 = nil }
            #expect(counts.entries.allSatisfy { $0 == 0 })
            #expect(statements(.read).count == 2)
            #expect(!log.entries.contains { $0.sql.hasPrefix("DELETE") })
        }
    }

    @Test func `statements of stores in one thread belong to their own accesses`() async throws {
        let (log, innerLog) = (log, Log<LoggedStatement>())
        let inner = configuration(.all { innerLog.note($0) })
        try await withLoggedStore { outer in
            try await withStore(configuration: inner) { inner in
                try await onThread {
                    try outer.write { context in
                        let _: Int = try inner.read { try User.count(in: $0) }
                        try User.create(in: context)
                        _ = try User.count(in: context)
                    }
                }
                let reads = innerLog.entries.filter { $0.access == .read }
                #expect(reads.count == 1)
                #expect(reads.allSatisfy { $0.sql.contains(#""user""#) })
            }
            #expect(!log.entries.contains { $0.access == .read })
            #expect(statements(.write).contains { $0.sql.hasPrefix("SELECT") })
        }
    }

    @Test func `a migration logs its statements when the store is opened`() async throws {
        let directory = try TemporaryDirectory()
        let source = StoreSource.sqlite(directory.file("a.sqlite"))
        let old = try await DataAccessLayer.open(source, entities: OldReader.self)
        try await old.write { try OldReader.create(in: $0) { $0.name = "Ada Lovelace" } }
        try await old.close()
        let log = log
        var configuration = configuration(.all { log.note($0) })
        configuration.migrations = [
            Migration(
                "split names", drops: ["reader.name"], converts: ["reader.age", "reader.rank"]
            ) { step in
                try step.transform(NewReader.self) { old, reader in
                    reader.firstname = try old["name", as: String.self]
                    reader.age = Int(try old["age", as: String?.self] ?? "") ?? -1
                }
            }
        ]
        let dal = try await DataAccessLayer.open(
            source, entities: NewReader.self, configuration: configuration)
        let migration = log.entries.filter { $0.access == .migration }
        #expect(migration.contains { $0.sql.contains("reader") })
        #expect(migration.allSatisfy { $0.place == nil && !$0.sql.contains("Ada") })
        try await dal.close()
        withExtendedLifetime(directory) {}
    }

    @Test func `a store without a log records nothing and is not wrapped`() async throws {
        try await withStore { dal in
            #expect(dal.coordinator.observer == nil)
            #expect(!(dal.coordinator.store is RecordingStore))
            try await dal.write { try User.create(in: $0) }
            let taken: RecordedStatements = try dal.coordinator.store.writer.withSession {
                $0.takeStatements()
            }
            #expect(taken.isEmpty)
        }
        try await withLoggedStore { dal in
            #expect(dal.coordinator.store is RecordingStore)
        }
    }
}
