import ArgumentParser
import Dispatch
import Foundation
import Skiathos
import Synchronization

/// Work that every contestant does, in the order of this list, and what of it is timed.
enum Workload: String, CaseIterable, ExpressibleByArgument {
    case insert = "W1"
    case fetchAll = "R1"
    case fetchOneByOne = "R2b"
    case change = "W4"
    case insertAlone = "W2"
    case insertVisibly = "W2m"
    case insertDurably = "W2d"
    case insertTogether = "W3"
    case insertTogetherDurably = "W3d"
    case insertFromTasksVisibly = "W3tm"
    case insertFromTasks = "W3t"
    case insertFromTasksDurably = "W3td"

    func title(rows: Int, reads: Int) -> String {
        switch self {
        case .insert: "insert \(rows) in one write"
        case .fetchAll: "fetch all \(rows) as values"
        case .fetchOneByOne: "\(reads) point reads, a closure each"
        case .change: "fetch, change one field, save \(rows)"
        case .insertAlone: "\(Self.alone) small writes, committed, one thread"
        case .insertVisibly: "\(Self.alone) small writes, visible and then committed, one thread"
        case .insertDurably: "\(Self.durable) small writes, durable, one thread"
        case .insertTogether: "\(Self.alone) small writes, committed, \(Self.threads) threads"
        case .insertTogetherDurably:
            "\(Self.durable) small writes, durable, \(Self.threads) threads"
        case .insertFromTasksVisibly:
            "\(Self.alone) small writes, visible and then committed, \(Self.threads) tasks"
        case .insertFromTasks: "\(Self.alone) small writes, committed, \(Self.threads) tasks"
        case .insertFromTasksDurably: "\(Self.durable) small writes, durable, \(Self.threads) tasks"
        }
    }

    /// How many writes it has, if they are what counts.
    var writes: Int? {
        switch self {
        case .insert, .fetchAll, .fetchOneByOne, .change: nil
        case .insertDurably, .insertTogetherDurably, .insertFromTasksDurably: Self.durable
        case .insertAlone, .insertVisibly, .insertTogether, .insertFromTasks,
            .insertFromTasksVisibly:
            Self.alone
        }
    }

    /// Runs the workload and returns the seconds of its timed part and a checksum of its outcome.
    func run(_ contestant: any Contestant, _ input: Input) throws -> Outcome {
        let clock = ContinuousClock()
        var checksum: Int64 = 0
        let duration: Duration
        switch self {
        case .insert:
            try contestant.deleteAll()
            duration = try clock.measure { try contestant.insert(input.users) }
        case .fetchAll:
            var users: [User] = []
            duration = try clock.measure { users = try contestant.fetchAll() }
            checksum = users.reduce(0) { $0 &+ $1.checksum }
        case .fetchOneByOne:
            duration = try clock.measure { checksum = try contestant.fetchOneByOne(input.ids) }
        case .change:
            duration = try clock.measure { try contestant.increaseAges() }
            checksum = try contestant.fetchAll().reduce(0) {
                $0 &+ $1.checksum &- $1.id.rawValue &* 31
            }
        case .insertAlone:
            duration = try Self.insert(Self.alone, 1, .committed, contestant, input)
        case .insertVisibly:
            duration = try Self.insert(Self.alone, 1, .visible, contestant, input)
        case .insertDurably:
            duration = try Self.insert(Self.durable, 1, .durable, contestant, input)
        case .insertTogether:
            duration = try Self.insert(Self.alone, Self.threads, .committed, contestant, input)
        case .insertTogetherDurably:
            duration = try Self.insert(Self.durable, Self.threads, .durable, contestant, input)
        case .insertFromTasksVisibly:
            duration = try Self.insertFromTasks(Self.alone, .visible, contestant, input)
        case .insertFromTasks:
            duration = try Self.insertFromTasks(Self.alone, .committed, contestant, input)
        case .insertFromTasksDurably:
            duration = try Self.insertFromTasks(Self.durable, .durable, contestant, input)
        }
        return Outcome(seconds: duration / .seconds(1), checksum: checksum)
    }

    private static let alone = 4_000
    private static let durable = 400
    private static let threads = 8

    /// Inserts users, each in a write of its own, from a number of threads.
    private static func insert(
        _ count: Int, _ threads: Int, _ promise: Promise, _ contestant: any Contestant,
        _ input: Input
    ) throws -> Duration {
        try contestant.deleteAll()
        try contestant.promise(promise)
        let duration = try ContinuousClock().measure {
            let failures = Mutex<[any Error]>([])
            // The contestants see to it themselves that threads do not get into each other's way.
            nonisolated(unsafe) let contestant = contestant
            @Sendable func insert(_ thread: Int) {
                do {
                    for index in stride(from: thread, to: count, by: threads) {
                        try contestant.insertAlone(input.users[index])
                    }
                } catch {
                    failures.withLock { $0.append(error) }
                }
            }
            // Threads of their own: Dispatch would start no more than there are cores.
            let end = DispatchGroup()
            for thread in 1..<threads {
                end.enter()
                Thread.detachNewThread {
                    insert(thread)
                    end.leave()
                }
            }
            insert(0)
            end.wait()
            if let failure = failures.withLock({ $0.first }) { throw failure }
            try contestant.settle()
        }
        let found = try contestant.fetchAll().count
        guard found == count else {
            throw BenchmarkError(description: "\(found) of \(count) users were inserted")
        }
        return duration
    }

    /// Inserts users, each in a write of its own, from a number of tasks.
    private static func insertFromTasks(
        _ count: Int, _ promise: Promise, _ contestant: any Contestant, _ input: Input
    ) throws -> Duration {
        try contestant.deleteAll()
        try contestant.promise(promise)
        let duration = try ContinuousClock().measure {
            // The contestants see to it themselves that tasks do not get into each other's way.
            nonisolated(unsafe) let contestant = contestant
            let end = End()
            Task {
                do {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for task in 0..<threads {
                            group.addTask {
                                for index in stride(from: task, to: count, by: threads) {
                                    try await contestant.insertAloneInTask(input.users[index])
                                }
                            }
                        }
                        try await group.waitForAll()
                    }
                } catch {
                    end.failure.withLock { $0 = error }
                }
                end.semaphore.signal()
            }
            end.semaphore.wait()
            if let failure = end.failure.withLock({ $0 }) { throw failure }
            try contestant.settle()
        }
        let found = try contestant.fetchAll().count
        guard found == count else {
            throw BenchmarkError(description: "\(found) of \(count) users were inserted")
        }
        return duration
    }

    /// How the work of tasks has ended, for the thread that waits.
    private final class End: Sendable {
        let semaphore = DispatchSemaphore(value: 0)
        let failure = Mutex<(any Error)?>(nil)
    }

    struct Outcome {
        let seconds: Double
        let checksum: Int64
    }

    /// What all contestants are given.
    struct Input {
        let users: [User]
        let ids: [Int64]

        init(rows: Int, reads: Int) {
            users = (1...Int64(rows)).map { User(number: $0) }
            // A linear congruential walk: scattered, and the same for everybody.
            var state: UInt64 = 42
            ids = (0..<reads).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int64(state >> 33) % Int64(rows) + 1
            }
        }
    }
}
