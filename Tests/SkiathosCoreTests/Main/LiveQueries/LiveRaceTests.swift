import Dispatch
import Foundation
import Skiathos
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosCore

/// Commits that come while an observed query reads.
@Suite(.generousTimeLimit) struct LiveRaceTests {
    /// Commits a write on a thread of its own, and returns when observers were notified of it.
    private static func commit(
        to dal: DataAccessLayer, _ body: @escaping @Sendable (WriteContext) throws -> Void
    ) {
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            do {
                try dal.write(body)
            } catch {
                Issue.record(error)
            }
            while !dal.coordinator.main.observers.isCaughtUp { sched_yield() }
            isDone.signal()
        }
        isDone.wait()
    }

    /// Also where another observer has the same entity's changes recorded already.
    @Test(arguments: 1...4, [false, true])
    func `a commit during a read leads to another value`(
        _ racedRead: Int, _ isObserved: Bool
    ) async throws {
        try await withNotes { dal in
            var others = dal.observe(User.where { $0.age > 100 }).makeAsyncIterator()
            if isObserved { #expect(try await others.next() == []) }
            let reads = Log<Void>()
            var counts = dal.observe { context in
                reads.note(())
                let count = try User.count(where: { $0.age > 3 }, in: context)
                if reads.entries.count == racedRead {
                    Self.commit(to: dal) { context in try User.add(in: context) { $0.age = 9 } }
                }
                return count
            }.makeAsyncIterator()
            #expect(try await counts.next() == 0)
            for expected in 1..<racedRead {
                try await dal.write { context in try User.add(in: context) { $0.age = 9 } }
                #expect(try await counts.next() == expected)
            }
            #expect(try await counts.next() == racedRead)
            #expect(reads.entries.count == racedRead + 1)
        }
    }

    @Test func `a commit during a read that changes nothing of it leads to no other read`()
        async throws
    {
        try await withNotes { dal in
            let reads = Log<Void>()
            // Changed users are recorded for this one with their values.
            var others = dal.observe(User.where { $0.age > 100 }).makeAsyncIterator()
            #expect(try await others.next() == [])
            var counts = dal.observe { context in
                reads.note(())
                let count = try User.count(where: { $0.age > 3 }, in: context)
                if reads.entries.count == 1 {
                    Self.commit(to: dal) { context in try User.add(in: context) { $0.age = 1 } }
                }
                return count
            }.makeAsyncIterator()
            #expect(try await counts.next() == 0)
            try await dal.write { context in try User.add(in: context) { $0.age = 5 } }
            #expect(try await counts.next() == 1)
            #expect(reads.entries.count == 2)
        }
    }

    @Test func `a read that begins to look at another entity misses no commit of it`()
        async throws
    {
        try await withNotes { dal in
            let reads = Log<Void>()
            var values = dal.observe { context -> [Int] in
                reads.note(())
                let users = try User.count(in: context)
                guard users > 0 else { return [0] }
                let companies = try Company.count(in: context)
                if reads.entries.count == 2 {
                    Self.commit(to: dal) { context in
                        try Company.create(in: context) { $0.name = "x" }
                    }
                }
                return [users, companies]
            }.makeAsyncIterator()
            #expect(try await values.next() == [0])
            try await dal.write { context in try User.add(in: context) }
            #expect(try await values.next() == [1, 0])
            #expect(try await values.next() == [1, 1])
        }
    }

    @Test func `differences do not go back to a version before the list that was read`()
        async throws
    {
        try await withNotes { dal in
            let ids = try await dal.write { context in
                try (0..<4).map { age in try User.add(in: context) { $0.age = age }.id }
            }
            let query = User.order { $0.age }
            for _ in 0..<30 {
                var list: [User] = []
                var differences = dal.observe(query).differences.makeAsyncIterator()
                let before = try await dal.read { try query.all(in: $0) }
                let goal = before.reduce(6 * 14) { $0 + $1.age }
                // Notified of while the list is read, or shortly after.
                let writes = Task {
                    for round in 0..<6 {
                        try await dal.write { context in
                            for id in ids { try User.find(id, in: context)?.age += 1 }
                            try User.find(ids[round % 4], in: context)?.age += 10
                        }
                    }
                }
                var sum = -1
                while sum < goal {
                    try #require(try await differences.next()).apply(to: &list)
                    let next = list.reduce(0) { $0 + $1.age }
                    #expect(next > sum)
                    sum = next
                }
                try await writes.value
            }
        }
    }
}
