import Foundation
import Skiathos
import SkiathosLocks
import SkiathosTesting
import Synchronization
import TestSupport
import Testing

@testable import SkiathosCore

@Suite(.generousTimeLimit) struct GroupCommitTests {
    private struct Refused: Error {}

    /// Batches stay open until a caller needs the commit.
    private static let patient: Configuration = {
        var configuration = Configuration()
        configuration.commitInterval = .seconds(3600)
        return configuration
    }()

    @Test(arguments: Place.allCases)
    func `a merged write is seen by every later read and write`(_ place: Place) async throws {
        try await withStore(place, configuration: Self.patient) { dal in
            for age in 1...20 {
                let id = try await dal.write(acknowledging: .merged) { context in
                    try User.create(in: context) { $0.age = age }.id
                }
                if age.isMultiple(of: 3) {
                    let found: Int? = try await dal.read { try User.find(id, in: $0)?.age }
                    #expect(found == age)
                }
                let count: Int = try await dal.write(acknowledging: .merged) { context in
                    try User.count(in: context)
                }
                #expect(count == age)
            }
        }
    }

    @Test func `a merged write is committed by a flush, a read, or closing`() async throws {
        let store = try TemporaryStore()
        var readOnly = Configuration()
        readOnly.isReadOnly = true
        let dal = try await store.open(Self.patient)
        let other = try await store.open(readOnly)
        func seenByOther() async throws -> Int { try await other.read { try User.count(in: $0) } }
        let add: @Sendable (Int) async throws -> Void = { age in
            try await dal.write(acknowledging: .merged) { context in
                try User.create(in: context) { $0.age = age }
            }
        }
        try await add(1)
        #expect(try await seenByOther() == 0)
        try await dal.flush(to: .merged)
        #expect(try await seenByOther() == 0)
        try await dal.flush(to: .committed)
        #expect(try await seenByOther() == 1)
        try await add(2)
        #expect(try await seenByOther() == 1)
        try await dal.read { _ in }
        #expect(try await seenByOther() == 2)
        try await add(3)
        #expect(try await seenByOther() == 2)
        try await dal.close()
        #expect(try await seenByOther() == 3)
        try await other.close()
        #expect(try await store.storedUsers() == 3)
    }

    @Test func `a merged write is committed after the interval`() async throws {
        let store = try TemporaryStore()
        let dal = try await store.open()
        try await dal.write(acknowledging: .merged) { try User.create(in: $0) }
        while dal.coordinator.rootWriter.commits.commitCount == 0 { await Task.yield() }
        #expect(!dal.coordinator.rootWriter.commits.hasReturnedWrites)
        try await dal.close()
    }

    @Test
    func
        `a merged write is committed after the interval, too, if it waited for a transaction of another write alone`()
        async throws
    {
        let store = try TemporaryStore()
        let dal = try await store.open()
        let door = Door()
        let began = Event()
        async let exclusive: Void = onThread {
            try dal.withExclusiveTransaction { context in
                try User.create(in: context)
                began.happen()
                door.pass()
                return .commit((), then: {})
            }
        }
        await began.wait()
        async let merged: Void = dal.write(acknowledging: .merged) { context in
            _ = try User.create(in: context) { $0.age = 1 }
        }
        await dal.waitForWriters(1)
        door.open()
        try await exclusive
        try await merged
        while dal.coordinator.rootWriter.commits.commitCount < 2 { await Task.yield() }
        #expect(!dal.coordinator.rootWriter.commits.hasReturnedWrites)
        try await dal.close()
        #expect(try await store.storedUsers() == 2)
    }

    @Test(.generousTimeLimit) func `a merged write outlives the release of the store`() async throws
    {
        let store = try TemporaryStore()
        do {
            let dal = try await store.open(Self.patient)
            try await dal.write(acknowledging: .merged) { try User.create(in: $0) }
        }
        try await store.openWhenReleased().close()
        #expect(try await store.storedUsers() == 1)
    }

    @Test(arguments: [Acknowledgement.committed, .durable])
    func `writes that wait at the same time share a commit`(
        _ level: Acknowledgement
    ) async throws {
        try await withStore(configuration: Self.patient) { dal in
            let tasks = Log<Task<Void, any Error>>()
            try await dal.whileAWriteIsUnderWay {
                for age in 0..<50 {
                    let write: @Sendable (WriteContext) throws -> Void = { context in
                        try User.create(in: context) { $0.age = age }
                    }
                    if age.isMultiple(of: 2) {
                        tasks.note(Task { try await dal.write(acknowledging: level, write) })
                    } else {
                        tasks.note(
                            Task {
                                try await onThread {
                                    _ = try dal.write(acknowledging: level, write)
                                }
                            })
                    }
                    await dal.waitForWriters(age + 1)
                }
            }
            for task in tasks.entries { try await task.value }
            #expect(dal.coordinator.rootWriter.commits.commitCount == 1)
            let count: Int = try await dal.read { try User.count(in: $0) }
            #expect(count == 50)
        }
    }

    @Test(arguments: Acknowledgement.allCases, [false, true])
    func `a durable write is synced even if another write commits it`(
        _ last: Acknowledgement, isExclusive: Bool
    ) async throws {
        try await withStore(configuration: Self.patient) { dal in
            let durable = Log<Task<Void, any Error>>()
            let other = Log<Task<Void, any Error>>()
            try await dal.whileAWriteIsUnderWay {
                durable.note(
                    Task {
                        try await dal.write(acknowledging: .durable) { context in
                            try User.create(in: context) { $0.age = 1 }
                        }
                    })
                await dal.waitForWriters(1)
                other.note(
                    Task {
                        try await dal.write(acknowledging: last) { context in
                            try User.create(in: context) { $0.age = 2 }
                            if isExclusive { _ = try User.count(in: context) }
                        }
                    })
                await dal.waitForWriters(2)
            }
            for task in other.entries { try await task.value }
            // A write that is only merged leaves the commit to a caller that needs it.
            if last == .merged { try await dal.read { _ in } }
            for task in durable.entries { try await task.value }
        }
    }

    @Test(arguments: Place.allCases)
    func `a failing write leaves its batch mates committed`(_ place: Place) async throws {
        try await withStore(place, configuration: Self.patient) { dal in
            let ends = Log<(Int, Bool)>()
            let tasks = Log<Task<Void, Never>>()
            try await dal.whileAWriteIsUnderWay {
                for age in 0..<30 {
                    tasks.note(
                        Task {
                            do {
                                try await dal.write { context in
                                    try User.create(in: context) {
                                        $0.age = age
                                        // Every third takes the email of the one before.
                                        $0.email = "\(age - (age % 3 == 2 ? 1 : 0))"
                                        // And some refer to nothing.
                                        if age % 7 == 6 { $0.company = 99 }
                                    }
                                    if age % 10 == 9 { throw Refused() }
                                }
                                ends.note((age, true))
                            } catch {
                                ends.note((age, false))
                            }
                        })
                    await dal.waitForWriters(age + 1)
                }
            }
            for task in tasks.entries { await task.value }
            // 2 of 3 may keep their email; where the one before failed there was no conflict.
            var expected: Set<Int> = []
            var emails: Set<Int> = []
            for age in 0..<30 {
                let email = age - (age % 3 == 2 ? 1 : 0)
                guard age % 7 != 6, age % 10 != 9, emails.insert(email).inserted else { continue }
                expected.insert(age)
            }
            #expect(Set(ends.entries.filter(\.1).map(\.0)) == expected)
            #expect(ends.entries.count == 30)
            let ages: Set<Int> = try await dal.read { Set(try User.all(in: $0).map(\.age)) }
            #expect(ages == expected)
        }
    }

    @Test func `reads do not wait for a closure, and see what returned before it`() async throws {
        try await withStore(configuration: Self.patient) { dal in
            try await dal.write(acknowledging: .merged) { try User.create(in: $0) }
            try await dal.whileAWriteIsUnderWay {
                let count: Int = try await dal.read { try User.count(in: $0) }
                #expect(count == 1)
            }
        }
    }

    @Test func `a closure that changes rows before its end hides nothing and shows nothing`()
        async throws
    {
        try await withStore(configuration: Self.patient) { dal in
            try await dal.write(acknowledging: .merged) { try User.create(in: $0) }
            let door = Door()
            let began = Event()
            async let writer: Void = onThread {
                try dal.write(acknowledging: .merged) { context in
                    try User.create(in: context) { $0.age = 1 }
                    let count = try User.count(in: context)
                    #expect(count == 2)
                    began.happen()
                    door.pass()
                }
            }
            await began.wait()
            let before: Int = try await dal.read { try User.count(in: $0) }
            #expect(before == 1)
            door.open()
            try await writer
            let after: Int = try await dal.read { try User.count(in: $0) }
            #expect(after == 2)
        }
    }

    @Test(arguments: Place.allCases)
    func `a cancelled write does not harm those that were merged before`(
        _ place: Place
    ) async throws {
        try await withStore(place, configuration: Self.patient) { dal in
            try await dal.write { context in
                for level in 0..<100 { try Reading.create(in: context) { $0.level = level } }
            }
            try await dal.write(acknowledging: .merged) { try User.create(in: $0) }
            let writes: [@Sendable (WriteContext) throws -> Void] = [
                { for reading in try Reading.all(in: $0) { reading.level = -1 } },
                { context in
                    try Reading.update(set: { [$0.level.set(to: -1)] }, in: context)
                    _ = try Reading.all(in: context)
                },
                { context in
                    try Reading.deleteAll(in: context)
                    cancelThisTask()
                },
            ]
            for write in writes {
                let task = Task {
                    try await Reading.$onRow.withValue({ cancelThisTask() }) {
                        _ = try await dal.write(acknowledging: .merged, write)
                    }
                }
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            let users: Int = try await dal.read { try User.count(in: $0) }
            let readings: Int = try await dal.read {
                try Reading.count(where: { $0.level >= 0 }, in: $0)
            }
            #expect(users == 1)
            #expect(readings == 100)
        }
    }

    @Test(arguments: Place.allCases)
    func `writes of all levels at once lose nothing`(_ place: Place) async throws {
        try await withStore(place) { dal in
            let id = try await dal.write { try User.create(in: $0).id }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        let level = Acknowledgement.allCases[number % 3]
                        for _ in 0..<5 {
                            let written = try await dal.write(acknowledging: level) { context in
                                let user = try User.find(id, in: context)
                                user?.age += 1
                                return user?.age ?? 0
                            }
                            let seen = try await dal.read { try User.find(id, in: $0)?.age } ?? 0
                            #expect(seen >= written)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let age: Int? = try await dal.read { try User.find(id, in: $0)?.age }
            #expect(age == 300)
        }
    }

    @Test func `a durable write fails where the WAL is gone, and nothing is written after it`()
        async throws
    {
        let store = try TemporaryStore()
        let dal = try await store.open()
        try await dal.write(acknowledging: .durable) { try User.create(in: $0) }
        try FileManager.default.removeItem(atPath: store.path + "-wal")
        let error = await #expect(throws: StoreError.self) {
            try await dal.write(acknowledging: .durable) { context in
                try User.create(in: context) { $0.age = 1 }
            }
        }
        #expect(error?.code == .interference)
        // The look before the commit finds it, or the one before the sync.
        let count: Int = try await dal.read { try User.count(in: $0) }
        #expect(count == 1 || count == 2)
        #expect(error?.outcome == (count == 1 ? .notCommitted : .unknown))
        // No durable acknowledgement afterwards, whatever happens.
        await #expect(throws: StoreError.self) { try await dal.flush() }
        for level in Acknowledgement.allCases {
            await #expect(throws: StoreError.self) {
                try await dal.write(acknowledging: level) { try User.create(in: $0) }
            }
        }
        await #expect(throws: StoreError.self) { try await dal.close() }
    }

    @Test(arguments: [(-1, 1), (2, 0)])
    func `an interval or batch size out of range is refused`(
        milliseconds: Int, size: Int
    ) async throws {
        var configuration = Configuration()
        configuration.commitInterval = .milliseconds(milliseconds)
        configuration.maximumBatchSize = size
        let refused = configuration
        let error = await #expect(throws: DataAccessError.self) {
            try await DataAccessLayer.open(
                .inMemory, entities: Company.self, configuration: refused)
        }
        #expect(error?.code == .invalidRequest)
    }
}
