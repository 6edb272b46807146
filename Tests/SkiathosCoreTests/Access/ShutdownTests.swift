import Skiathos
import Testing

@Suite(.timeLimit(.minutes(5))) struct ShutdownTests {
    @Test func `what was accepted is finished inside the deadline`() async throws {
        let store = try TemporaryStore()
        let dal = try await store.open()
        for age in 0..<200 {
            dal.enqueue { context in try User.create(in: context) { $0.age = age } }
        }
        let report = await dal.shutDown(within: .seconds(30))
        #expect(report.isComplete, "\(report)")
        #expect(report.isDurable)
        #expect(report.unfinished == 0)
        #expect(report.description.contains("nothing was left undone"))
        let error = await #expect(throws: DataAccessError.self) { try await dal.read { _ in } }
        #expect(error?.code == .closed)
        #expect(await dal.shutDown(within: .seconds(1)).isClosed)
        #expect(try await store.storedUsers() == 200)
    }

    @Test func `after the deadline everybody who waits is told and what was merged is on disk`()
        async throws
    {
        let ends = Log<DataAccessError.Code?>()
        var configuration = Configuration()
        configuration.commitInterval = .seconds(3600)
        configuration.errorHandler = { failure in
            ends.note((failure.error as? DataAccessError)?.code)
        }
        let store = try TemporaryStore()
        let dal = try await store.open(configuration)
        try await dal.write(acknowledging: .merged) { try User.create(in: $0) }
        let runs = Log<Void>()
        try await dal.whileAWriteIsUnderWay {
            let task = Task { try await dal.write { _ -> Void in runs.note(()) } }
            await dal.waitForWriters(1)
            let thread = Task {
                try await onThread { try dal.write { _ -> Void in runs.note(()) } }
            }
            await dal.waitForWriters(2)
            dal.enqueue { _ in runs.note(()) }
            await dal.waitForWriters(3)
            let report = await dal.shutDown(within: .milliseconds(20))
            #expect(!report.isComplete)
            #expect(!report.isClosed)
            #expect(report.isDurable)
            #expect(report.refused == 3)
            #expect(report.unfinished == 1)
            #expect(report.failure == nil)
            for waiting in [task, thread] {
                let error = await #expect(throws: DataAccessError.self) {
                    _ = try await waiting.value
                }
                #expect(error?.code == .closed)
            }
        }
        // The write that was under way has ended; closing it all is still possible.
        try await dal.close()
        #expect(ends.entries == [.closed])
        #expect(runs.entries.isEmpty)
        #expect(try await store.storedUsers() == 1)
    }

    @Test func `who waits behind an enqueued write is told while that one still runs`()
        async throws
    {
        let dal = try await DataAccessLayer.open(.inMemory, entities: Company.self, User.self)
        let door = Door()
        let began = Event()
        let told = Event()
        dal.enqueue { _ in
            began.happen()
            door.pass()
        }
        await began.wait()
        dal.write({ _ -> Void in }) { _ in told.happen() }
        let report = await dal.shutDown(within: .zero)
        #expect(report.refused == 1)
        await told.wait()
        door.open()
        try await dal.close()
    }

    @Test func `a query that outlasts the deadline is interrupted, and its write undone`()
        async throws
    {
        let store = try TemporaryStore()
        let dal = try await store.open()
        try await dal.write { context in
            for level in 0..<1000 { try Reading.create(in: context) { $0.level = level } }
        }
        let began = Event()
        let endless: @Sendable (Bool) async throws -> Void = { isWrite in
            try await onThread {
                if isWrite {
                    try dal.write { context in
                        try User.create(in: context)
                        while true {
                            for reading in try Reading.all(in: context) { reading.level += 1 }
                            began.happen()
                        }
                    }
                } else {
                    try dal.read { context in
                        while true { _ = try Reading.all(in: context) as [Reading] }
                    }
                }
            }
        }
        let closures = [Task { try await endless(true) }, Task { try await endless(false) }]
        await began.wait()
        let report = await dal.shutDown(within: .milliseconds(20))
        #expect(report.isClosed, "\(report)")
        #expect(report.unfinished == 0)
        for closure in closures {
            let error = await #expect(throws: (any Error).self) { try await closure.value }
            let isTold =
                (error as? StoreError)?.code == .interrupted
                || (error as? DataAccessError)?.code == .closed
            #expect(isTold)
        }
        #expect(try await store.storedUsers() == 0)
    }

    @Test func `a second call in greater hurry and the first one report the same`() async throws {
        let store = try TemporaryStore()
        let dal = try await store.open()
        let told = Event()
        let calls = Log<Task<ShutdownReport, Never>>()
        try await dal.whileAWriteIsUnderWay {
            dal.write({ _ -> Void in }) { _ in told.happen() }
            await dal.waitForWriters(1)
            calls.note(Task { await dal.shutDown(within: .seconds(30)) })
            await dal.waitForWriters(2)
            calls.note(Task { await dal.shutDown(within: .zero) })
            await told.wait()
        }
        let (first, second) = (await calls.entries[0].value, await calls.entries[1].value)
        #expect(first.isClosed)
        #expect(first.isDurable)
        #expect(first.refused == 1)
        #expect(second.refused == 1)
        // A quarter of a second is what the second has patience for.
        #expect(second.duration == first.duration || !second.isClosed)
        // The shutdown is over, so it has not taken longer since.
        let third = await dal.shutDown(within: .zero)
        #expect(third.duration == first.duration)
        #expect(third.description == first.description)
    }

    @Test func `cancelling a shutdown does not cut it short`() async throws {
        let store = try TemporaryStore()
        let dal = try await store.open()
        try await dal.write { try User.create(in: $0) }
        let task = Task {
            cancelThisTask()
            return await dal.shutDown(within: .seconds(30))
        }
        #expect(await task.value.isComplete)
        #expect(try await store.storedUsers() == 1)
    }
}
