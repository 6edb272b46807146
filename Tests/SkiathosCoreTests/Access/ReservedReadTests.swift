import Skiathos
import SkiathosTesting
import TestSupport
import Testing

@testable import SkiathosCore

/// Reads that reserve the snapshot which a connection has kept, and use the connection for their
/// statements alone.
@Suite struct ReservedReadTests {
    private struct Refusal: Error {}

    /// Makes a user, and reads it once, so that its row is cached and a snapshot is kept.
    private func warm(_ dal: DataAccessLayer) async throws -> User.ID {
        let id = try await dal.write { context in try User.create(in: context) { $0.age = 1 }.id }
        let user: User? = try await dal.read { try User.find(id, in: $0) }
        #expect(user?.age == 1)
        return id
    }

    @Test func `a read that has only found a cached row keeps its version for its first statement`()
        async throws
    {
        try await withStore { dal in
            let id = try await warm(dal)
            let door = Door()
            let began = Event()
            async let held: [Int?] = onThread {
                try dal.read { context in
                    let cached = try User.find(id, in: context)?.age
                    began.happen()
                    door.pass()
                    // The row is not cached any more, and the connection must not see the new one.
                    let found = try User.find(id, in: context)?.age
                    return [cached, found, try User.count(in: context)]
                }
            }
            await began.wait()
            try await dal.write { context in
                try User.find(id, in: context)?.age = 2
                try User.create(in: context)
            }
            let now: [Int?] = try await dal.read { context in
                [try User.find(id, in: context)?.age, try User.count(in: context)]
            }
            #expect(now == [2, 2])
            door.open()
            #expect(try await held == [1, 1, 1])
        }
    }

    @Test func `a checkpoint beside a reserved snapshot does not renew it`() async throws {
        var configuration = Configuration()
        configuration.checkpointSize = 1 << 20
        try await withStore(configuration: configuration) { dal in
            let id = try await warm(dal)
            let text = String(repeating: "7", count: 1 << 20)
            let counts = try await dal.whileAReadIsUnderWay(
                { context in
                    _ = try User.find(id, in: context)
                    return 1
                },
                {
                    for number in 0..<6 {
                        try await dal.write { context in
                            try User.create(in: context) {
                                $0.firstname = text
                                $0.age = number
                            }
                        }
                    }
                }, then: { try User.count(in: $0) })
            #expect(counts == (1, 1))
            let after: Int = try await dal.read { try User.count(in: $0) }
            #expect(after == 7)
        }
    }

    @Test func `reads beyond the connections wait for the reserved one that ends first`()
        async throws
    {
        var configuration = Configuration()
        configuration.readerCount = 2
        try await withStore(configuration: configuration) { dal in
            let id = try await warm(dal)
            // Both connections keep a snapshot of the newest version.
            try await withThrowingTaskGroup(of: Void.self) { group in
                let meeting = Meeting(of: 2)
                for _ in 0..<2 {
                    group.addTask {
                        try await onThread {
                            try dal.read { context in
                                meeting.come()
                                _ = try User.find(id, in: context)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let doors = [Door(), Door()]
            let began = [Event(), Event()]
            async let first = onThread { try Self.hold(dal, id, began[0], doors[0]) }
            await began[0].wait()
            async let second = onThread { try Self.hold(dal, id, began[1], doors[1]) }
            await began[1].wait()
            #expect(dal.coordinator.runningCount == 2)
            async let third: Int? = onThread {
                try dal.read { try User.find(id, in: $0)?.age }
            }
            async let fourth: Int? = dal.read { try User.find(id, in: $0)?.age }
            while dal.coordinator.main.gate.waitingCount < 2 { await Task.yield() }
            // The first one stays.
            doors[1].open()
            try await second
            #expect(try await third == 1)
            #expect(try await fourth == 1)
            doors[0].open()
            try await first
            #expect(dal.coordinator.runningCount == 0)
        }
    }

    private static func hold(
        _ dal: DataAccessLayer, _ id: User.ID, _ began: Event, _ door: Door
    ) throws {
        try dal.read { (context: ReadContext) throws in
            #expect(try User.find(id, in: context)?.age == 1)
            began.happen()
            door.pass()
        }
    }

    @Test func `closing waits for a reserved read and refuses the next`() async throws {
        let store = try TemporaryStore()
        let dal = try await store.open()
        let id = try await warm(dal)
        let door = Door()
        let began = Event()
        async let held: Int = onThread {
            try dal.read { context in
                _ = try User.find(id, in: context)
                began.happen()
                door.pass()
                return try User.count(in: context)
            }
        }
        await began.wait()
        async let closing: Void = dal.close()
        while !dal.coordinator.main.gate.refusesReservations { await Task.yield() }
        await #expect(throws: DataAccessError.self) {
            let _: User? = try await dal.read { try User.find(id, in: $0) }
        }
        door.open()
        #expect(try await held == 1)
        try await closing
    }

    @Test func `a reserved read refuses another read and a write inside it`() async throws {
        try await withStore { dal in
            let id = try await warm(dal)
            try await onThread {
                try dal.read { (context: ReadContext) throws in
                    _ = try User.find(id, in: context)
                    #expect(throws: DataAccessError.self) {
                        let _: Int = try dal.read { try User.count(in: $0) }
                    }
                    #expect(throws: DataAccessError.self) {
                        try dal.write { _ = try User.create(in: $0) }
                    }
                    #expect(try User.count(in: context) == 1)
                }
            }
        }
    }

    @Test func `an error in a reserved read leaves it, and the next read sees the newest version`()
        async throws
    {
        try await withStore { dal in
            let id = try await warm(dal)
            for isUsing in [false, true] {
                try await onThread {
                    _ = #expect(throws: Refusal.self) {
                        try dal.read { (context: ReadContext) throws in
                            _ = try User.find(id, in: context)
                            if isUsing { _ = try User.count(in: context) }
                            throw Refusal()
                        }
                    }
                }
                let count: Int = try await dal.read { try User.count(in: $0) }
                #expect(count == 1)
            }
        }
    }

    @Test func `a context that has left its closure is refused, and does not see the next read`()
        async throws
    {
        try await withStore { dal in
            let id = try await warm(dal)
            try await onThread {
                nonisolated(unsafe) var kept: ReadContext?
                try dal.read { (context: ReadContext) throws in
                    _ = try User.find(id, in: context)
                    kept = context
                }
                try dal.read { (context: ReadContext) throws in
                    #expect(context !== kept)
                    #expect(throws: DataAccessError.self) {
                        _ = try kept.map { try User.find(id, in: $0) }
                    }
                    #expect(throws: DataAccessError.self) {
                        _ = try kept.map { try User.count(in: $0) }
                    }
                    #expect(try User.count(in: context) == 1)
                }
            }
        }
    }

    @Test func `a query inside the closure of another one has the connection`() async throws {
        try await withStore { dal in
            let id = try await warm(dal)
            let ages: [Int] = try await dal.read { context in
                var ages: [Int] = []
                try User.each(in: context) { user in
                    ages.append(try User.count(in: context) + user.age)
                }
                _ = try User.find(id, in: context)
                return ages
            }
            #expect(ages == [2])
        }
    }

    @Test func `a merged write is seen by the next read although a snapshot was kept`() async throws
    {
        try await withStore { dal in
            let id = try await warm(dal)
            for age in 2...20 {
                try await dal.write(acknowledging: .merged) { context in
                    try User.find(id, in: context)?.age = age
                }
                let seen: Int? = try await dal.read { try User.find(id, in: $0)?.age }
                #expect(seen == age)
            }
        }
    }

    @Test func `the oldest running read is named where it has reserved its connection`()
        async throws
    {
        try await withStore { dal in
            let id = try await warm(dal)
            let door = Door()
            let began = Event()
            async let held: Void = onThread {
                try dal.read(
                    { (context: ReadContext) throws -> Void in
                        _ = try User.find(id, in: context)
                        began.happen()
                        door.pass()
                    }, line: 4711)
            }
            await began.wait()
            let oldest = dal.health.oldestRead?.place
            door.open()
            try await held
            #expect(oldest == "\(#fileID):4711")
            #expect(dal.health.oldestRead == nil)
        }
    }

    @Test func `a cancelled task leaves a read that has reserved its connection`() async throws {
        try await withStore { dal in
            let id = try await warm(dal)
            let task = Task {
                let _: Int? = try await dal.read { context in
                    withUnsafeCurrentTask { $0?.cancel() }
                    return try User.find(id, in: context)?.age
                }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            let count: Int = try await dal.read { try User.count(in: $0) }
            #expect(count == 1)
        }
    }
}

extension DataAccessLayer {
    /// Runs a read on a thread, with work beside it in the middle; returns the results of its two
    /// closures.
    fileprivate func whileAReadIsUnderWay<R: Sendable>(
        _ before: @escaping @Sendable (ReadContext) throws -> R,
        _ beside: () async throws -> Void,
        then after: @escaping @Sendable (ReadContext) throws -> R
    ) async throws -> (R, R) {
        let door = Door()
        let began = Event()
        async let results: (R, R) = onThread {
            try self.read { context in
                let first = try before(context)
                began.happen()
                door.pass()
                return (first, try after(context))
            }
        }
        await began.wait()
        do {
            try await beside()
        } catch {
            door.open()
            throw error
        }
        door.open()
        return try await results
    }
}
