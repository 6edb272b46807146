import Foundation
import PersistenceService
import SkiathosCore
import SkiathosLocks
import SkiathosStore
import SkiathosTesting
import Synchronization
import TestSupport
import Testing

@Suite struct ExclusiveTransactionTests {
    @Test(arguments: Place.allCases)
    func `a transaction that is rolled back shows its changes only to itself`(
        _ place: Place
    ) async throws {
        try await withStore(place) { dal in
            let ada = try await dal.addAuthor("Ada", age: 1)
            let seen: [String] = try await dal.withExclusiveTransaction { context in
                try Author.create(in: context) { $0.name = "Ben" }
                try Author.find(ada, in: context)?.age = 2
                return .rollback(try Author.all(in: context).map(\.name).sorted())
            }
            #expect(seen == ["Ada", "Ben"])
            #expect(try await dal.names() == ["Ada"])
            #expect(try await dal.author(ada)?.age == 1)
        }
    }

    @Test func `IDs of a rolled back transaction are not allocated again`() async throws {
        try await withStore { dal in
            let first: Author.ID = try await dal.withExclusiveTransaction {
                .rollback(try Author.create(in: $0).id)
            }
            let second = try await dal.addAuthor("Ada")
            #expect(second.rawValue > first.rawValue)
        }
    }

    @Test(arguments: Place.allCases)
    func `rolling back a transaction keeps merged writes of others`(_ place: Place) async throws {
        try await withStore(place) { dal in
            for number in 0..<5 {
                try await dal.write(acknowledging: .merged) {
                    try Author.create(in: $0) { $0.name = "\(number)" }
                }
                await #expect(throws: Refused.self) {
                    try await dal.withExclusiveTransaction { context -> TransactionOutcome<Void> in
                        try Author.deleteAll(in: context)
                        throw Refused()
                    }
                }
            }
            #expect(try await dal.names() == ["0", "1", "2", "3", "4"])
        }
    }

    @Test func `a read that begins during a transaction sees the store as it was`() async throws {
        try await withStore { dal in
            let ada = try await dal.addAuthor("Ada", age: 1)
            let seen: Int? = try await onThread {
                try dal.withExclusiveTransaction { context in
                    try Author.find(ada, in: context)?.age = 2
                    try context.bringPending()
                    return .rollback(())
                }
                return try dal.read { try Author.find(ada, in: $0)?.age }
            }
            #expect(seen == 1)
            // On threads of their own: the pool has no thread to spare for one that blocks.
            let other: Int? = try await onThread {
                try dal.withExclusiveTransaction { context in
                    try Author.find(ada, in: context)?.age = 3
                    try context.bringPending()
                    let found = Lock<Int?>(nil)
                    let done = DispatchSemaphoreBox()
                    Thread.detachNewThread {
                        let age: Int?? = try? dal.read { try Author.find(ada, in: $0)?.age }
                        found.withLock { $0 = age ?? nil }
                        done.signal()
                    }
                    done.wait()
                    return .rollback(found.withLock { $0 })
                }
            }
            #expect(other == 1)
            // The row cache is not affected either.
            #expect(try await dal.author(ada)?.age == 1)
        }
    }

    @Test func `a rolled back transaction notifies neither feeds nor observed values`() async throws
    {
        try await withStore { dal in
            var feed = dal.changes(of: Author.self).makeAsyncIterator()
            var values = dal.observe { try Author.count(in: $0) }.makeAsyncIterator()
            #expect(try await values.next() == 0)
            try await dal.withExclusiveTransaction { context in
                try Author.create(in: context)
                try context.bringPending()
                return .rollback(())
            }
            let ada = try await dal.addAuthor("Ada")
            #expect(try await values.next() == 1)
            guard case .changes(let changes)? = try await feed.next() else {
                Issue.record("The feed has missed a write.")
                return
            }
            #expect(changes.inserted == [ada])
        }
    }

    @Test(arguments: Place.allCases)
    func `changes are captured row by row, with what rules and statements did`(
        _ place: Place
    ) async throws {
        try await withStore(place) { dal in
            let (author, book): (Author.ID, Book.ID) = try await dal.write { context in
                let author = try Author.create(in: context) { $0.name = "Ada" }
                let book = try Book.create(in: context) { $0.author = author.id }
                try Chapter.create(in: context) { $0.book = book.id }
                try Chapter.create(in: context) { $0.book = book.id }
                return (author.id, book.id)
            }
            let changes: [RowChange] = try await dal.withExclusiveTransaction { context in
                try context.beginCapture()
                try Author.find(author, in: context)?.delete()
                _ = try context.reading { try Book.count(in: $0) }
                try Book.deleteAll(where: { $0.id == book }, in: context)
                try Tag.create(id: "a", in: context)
                try Tag.create(id: "b", in: context)
                try Tag.update(set: { [$0.label.set(to: "new")] }, in: context)
                try Tag.find("b", in: context)?.delete()
                return .rollback(try context.endCapture())
            }
            func rows<E: Entity>(of entity: E.Type) -> [RowChange] {
                changes.filter { $0.key.entity == dal.schema.position(of: E.self) }
            }
            #expect(rows(of: Author.self).map(\.after) == [nil])
            #expect(rows(of: Book.self).map(\.before?.last) == [.integer(author.rawValue)])
            #expect(rows(of: Book.self).map(\.after) == [nil])
            #expect(rows(of: Chapter.self).count == 2)
            #expect(rows(of: Chapter.self).allSatisfy { $0.after == nil })
            #expect(rows(of: Tag.self).map(\.after) == [[.text("a"), .text("new")]])
            #expect(try await dal.read { try Chapter.count(in: $0) } == 2)
        }
    }

    @Test func `changes of a failed nested scope are not captured`() async throws {
        try await withStore { dal in
            let changes: [RowChange] = try await dal.withExclusiveTransaction { context in
                try context.beginCapture()
                let ada = try Author.create(in: context) { $0.name = "Ada" }
                try? context.nested { context in
                    ada.name = "Eve"
                    try Author.create(in: context) { $0.name = "Ben" }
                    throw Refused()
                }
                return .rollback(try context.endCapture())
            }
            #expect(changes.map { $0.after?[1] } == [.text("Ada")])
        }
    }

    @Test func `raw SQL is refused where changes are captured`() async throws {
        try await withStore { dal in
            await #expect {
                try await dal.withExclusiveTransaction { context -> TransactionOutcome<Void> in
                    try context.beginCapture()
                    try context.writeNatively { _ in }
                    return .rollback(())
                }
            } throws: {
                ($0 as? DataAccessError)?.code == .invalidRequest
            }
        }
    }

    @Test func `starting over discards all earlier changes`() async throws {
        try await withStore { dal in
            let ada = try await dal.addAuthor("Ada")
            let names: [String] = try await dal.withExclusiveTransaction { context in
                try Author.find(ada, in: context)?.delete()
                try Author.create(in: context) { $0.name = "Ben" }
                try context.bringPending()
                try context.startOver()
                try Author.create(in: context) { $0.name = "Cleo" }
                let names = try Author.all(in: context).map(\.name).sorted()
                return .commit(names, then: {})
            }
            #expect(names == ["Ada", "Cleo"])
            #expect(try await dal.names() == ["Ada", "Cleo"])
        }
    }
}
