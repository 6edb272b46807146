import Skiathos
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosCore

/// How a loop over observed values ends, and what it leaves behind.
@Suite(.generousTimeLimit) struct ObservationEndTests {
    @Test func `an error of a later read is reported, and the next change is another attempt`()
        async throws
    {
        let failures = Log<BackgroundFailure>()
        var configuration = Configuration()
        configuration.errorHandler = { failures.note($0) }
        try await withNotes(configuration: configuration) { dal in
            let counts = dal.observe { context in
                let count = try User.count(in: context)
                if count == 1 { throw StoreError(.busy, "The test has locked the file.") }
                return count
            }
            let log = Log<Int>()
            let task = Task { for try await count in counts { log.note(count) } }
            while log.entries.isEmpty { await Task.yield() }
            try await dal.write { try User.add(in: $0) }
            while failures.entries.isEmpty { await Task.yield() }
            try await dal.write { try User.add(in: $0) }
            while log.entries.count < 2 { await Task.yield() }
            task.cancel()
            try await task.value
            #expect(log.entries == [0, 2])
            #expect(failures.entries.map(\.operation) == [.observation])
        }
    }

    @Test func `an error of the first read is thrown, and ends the sequence`() async throws {
        try await withNotes { dal in
            var iterator = dal.observe { try Country.count(in: $0) }.makeAsyncIterator()
            let error = await #expect(throws: DataAccessError.self) {
                _ = try await iterator.next()
            }
            #expect(error?.code == .unknownEntity)
            let end: Int? = try await iterator.next()
            #expect(end == nil)
            #expect(dal.coordinator.main.observerCount == 0)
        }
    }

    @Test(arguments: Place.allCases)
    func `sequences end when the store is closed`(_ place: Place) async throws {
        try await withNotes(place) { dal in
            let began = Event()
            let task = Task {
                for try await _ in dal.observe({ try User.count(in: $0) }) { began.happen() }
            }
            var idle = dal.observe { try User.count(in: $0) }.makeAsyncIterator()
            #expect(try await idle.next() == 0)
            await began.wait()
            try await dal.close()
            try await task.value
            let end: Int? = try await idle.next()
            #expect(end == nil)
            #expect(dal.coordinator.main.observerCount == 0)
            let error = await #expect(throws: DataAccessError.self) {
                for try await _ in dal.observe({ try User.count(in: $0) }) {}
            }
            #expect(error?.code == .closed)
        }
    }

    @Test(arguments: Place.allCases)
    func `a sequence that is dropped or cancelled leaves nothing behind`(
        _ place: Place
    ) async throws {
        try await withNotes(place) { dal in
            let main = dal.coordinator.main
            let own = main.interest.entities
            do {
                var iterator = dal.observe { try User.count(in: $0) }.makeAsyncIterator()
                #expect(try await iterator.next() == 0)
                #expect(main.observerCount == 1)
                #expect(main.interest.entities != own)
            }
            #expect(main.observerCount == 0)
            let began = Event()
            let task = Task {
                for try await _ in dal.observe({ try User.count(in: $0) }) { began.happen() }
            }
            await began.wait()
            task.cancel()
            try await task.value
            let cancelled = Task {
                cancelThisTask()
                for try await _ in dal.observe({ try User.count(in: $0) }) {}
            }
            try await cancelled.value
            #expect(main.observerCount == 0)
            #expect(main.interest.entities == own)
        }
    }

    @Test(arguments: Place.allCases)
    func `a task that is cancelled during a read ends its loop, and nothing is reported`(
        _ place: Place
    ) async throws {
        let failures = Log<BackgroundFailure>()
        var configuration = Configuration()
        configuration.errorHandler = { failures.note($0) }
        try await withNotes(place, configuration: configuration) { dal in
            for cancelledRead in 1...2 {
                let reads = Log<Void>()
                let counts = dal.observe { context in
                    reads.note(())
                    if reads.entries.count == cancelledRead { cancelThisTask() }
                    return try User.count(in: context)
                }
                let task = Task {
                    for try await _ in counts { try await dal.write { try User.add(in: $0) } }
                }
                try await task.value
                #expect(reads.entries.count == cancelledRead)
            }
            #expect(dal.coordinator.main.observerCount == 0)
        }
        #expect(failures.entries.isEmpty)
    }

    @Test func `a loop keeps the store open, and the store is released when the loop has ended`()
        async throws
    {
        let values = Log<Int>()
        var dal: DataAccessLayer? = try await .open(.inMemory, entities: User.self, Company.self)
        weak let coordinator = dal?.coordinator
        var counts = dal?.observe { try User.count(in: $0) }
        let task = Task { [counts] in
            for try await count in try #require(counts) { values.note(count) }
        }
        while values.entries.isEmpty { await Task.yield() }
        counts = nil
        dal = nil
        #expect(coordinator != nil)
        task.cancel()
        try await task.value
        while coordinator != nil { await Task.yield() }
    }
}
