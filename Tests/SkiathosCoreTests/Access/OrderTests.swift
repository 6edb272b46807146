import Skiathos
import TestSupport
import Testing

@Suite(.generousTimeLimit) struct OrderTests {
    @Test(arguments: Place.allCases)
    func `writes of tasks, threads and the queue run once each in the order of arrival`(
        _ place: Place
    ) async throws {
        try await withStore(place) { dal in
            let order = Log<Int>()
            let tasks = Log<Task<Void, any Error>>()
            try await dal.whileAWriteIsUnderWay {
                for number in 0..<30 {
                    let note: @Sendable (WriteContext) throws -> Void = { context in
                        order.note(number)
                        try User.create(in: context) { $0.age = number }
                    }
                    switch number % 3 {
                    case 0: tasks.note(Task { try await dal.write(note) })
                    case 1: tasks.note(Task { try await onThread { _ = try dal.write(note) } })
                    default: dal.enqueue(note)
                    }
                    await dal.waitForWriters(number + 1)
                }
            }
            for task in tasks.entries { try await task.value }
            try await dal.flush()
            #expect(order.entries == Array(0..<30))
            let ages: [Int] = try await dal.read {
                try User.all(orderedBy: { [$0.id.ascending] }, in: $0).map(\.age)
            }
            #expect(ages == Array(0..<30))
        }
    }

    @Test func `more enqueued writes than allowed are refused to the error handler`() async throws {
        let failures = Log<BackgroundFailure>()
        let refused = Event()
        var configuration = Configuration()
        configuration.maximumWaitingWrites = 2
        configuration.errorHandler = { failure in
            failures.note(failure)
            refused.happen()
        }
        try await withStore(configuration: configuration) { dal in
            try await dal.whileAWriteIsUnderWay {
                for age in 0..<3 {
                    dal.enqueue { context in try User.create(in: context) { $0.age = age } }
                }
                await refused.wait()
            }
            try await dal.flush()
            let ages: [Int] = try await dal.read {
                try User.all(orderedBy: { [$0.age.ascending] }, in: $0).map(\.age)
            }
            #expect(ages == [0, 1])
        }
        let failure = try #require(failures.entries.first)
        #expect(failure.operation == .enqueuedWrite)
        #expect((failure.error as? DataAccessError)?.code == .tooManyWaitingWrites)
        #expect(failures.entries.count == 1)
    }
}
