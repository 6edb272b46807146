import Dispatch
import Foundation
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosSQLite

@Suite struct TransactionTests {
    @Test func `a read sees one version from its beginning to its end`() throws {
        try StoreKind.file.withStore { store in
            let request = FetchRequest(entity: store.position(User.self))
            try store.insert(User.self, user(1))
            let reader = try #require(store.readers.first)
            try reader.read { session in
                // Committed after the read began, though before its first statement.
                try store.insert(User.self, user(2))
                #expect(try session.count(request) == 1)
                try store.insert(User.self, user(3))
                #expect(try session.count(request) == 1)
            }
            #expect(try reader.read { try $0.count(request) } == 3)
        }
    }

    @Test func `an uncommitted change is seen by the writer alone`() throws {
        try StoreKind.file.withStore { store in
            let entity = store.position(User.self)
            let request = FetchRequest(entity: entity)
            try store.writer.withSession { session in
                try session.begin()
                try session.apply([.insert(entity: entity, Rows([user(1)]))])
            }
            #expect(try store.anyReader.read { try $0.count(request) } == 0)
            // The transaction is still open.
            #expect(try store.writer.read { try $0.count(request) } == 1)
            try store.writer.withSession { try $0.commit() }
            #expect(try store.anyReader.read { try $0.count(request) } == 1)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `savepoints nest and are rolled back from the innermost`(kind: StoreKind) throws {
        try kind.withStore { store in
            let entity = store.position(User.self)
            func insert(_ id: Int64, _ session: any StoreWriteSession) throws {
                try session.apply([.insert(entity: entity, Rows([user(id)]))])
            }
            try store.transaction { session in
                try insert(1, session)
                try session.openSavepoint()
                try insert(2, session)
                try session.openSavepoint()
                try insert(3, session)
                try session.rollbackSavepoint()
                try session.openSavepoint()
                try insert(4, session)
                try session.releaseSavepoint()
                try session.releaseSavepoint()
                try session.openSavepoint()
                try insert(5, session)
                try session.rollbackSavepoint()
            }
            #expect(try store.ids(User.self) == [1, 2, 4])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a failing read leaves the connection usable`(kind: StoreKind) throws {
        struct Mistake: Error {}
        try kind.withStore { store in
            let request = FetchRequest(entity: store.position(User.self))
            try store.insert(User.self, user(1))
            #expect(throws: Mistake.self) {
                try store.anyReader.read { session in
                    try session.fetch(request) { cursor in
                        _ = cursor.next()
                        throw Mistake()
                    }
                }
            }
            try store.insert(User.self, user(2))
            #expect(try store.ids(User.self) == [1, 2])
        }
    }

    @Test(.generousTimeLimit)
    func `a running query can be interrupted from another thread`() throws {
        try StoreKind.file.withStore { store in
            let entity = store.position(User.self)
            let rows = Rows((1...3000).map { user(Int64($0), "name \($0)") })
            try store.transaction { try $0.apply([.insert(entity: entity, rows)]) }
            let reader = try #require(store.readers.first)
            let timer = DispatchSource.makeTimerSource(queue: .global())
            timer.setEventHandler { reader.interrupt() }
            timer.schedule(deadline: .now() + 0.02, repeating: 0.02)
            timer.resume()
            defer { timer.cancel() }
            // Some statement of the loop is running when the timer fires.
            _ = try storeError(.interrupted) {
                let slow = StorePredicate.any(
                    (0..<200).map {
                        .match(.folded(.column(1)), .contains, .value(.text("none \($0)")))
                    })
                while true {
                    _ = try reader.read {
                        try $0.count(FetchRequest(entity: entity, predicate: slow))
                    }
                }
            }
            timer.cancel()
            // The last interruption may still be on its way to the first attempt.
            let count = FetchRequest(entity: entity)
            _ = try? reader.read { try $0.count(count) }
            #expect(try reader.read { try $0.count(count) } == 3000)
        }
    }

    @Test func `readers and the writer work at the same time`() throws {
        try StoreKind.file.withStore { store throws in
            let entity = store.position(User.self)
            let request = FetchRequest(entity: entity)
            DispatchQueue.concurrentPerform(iterations: 3) { number in
                do {
                    for step in 0..<200 {
                        if number < 2 {
                            let counts = try store.readers[number].read { session in
                                [try session.count(request), try session.count(request)]
                            }
                            #expect(counts[0] == counts[1])
                            #expect(counts[0] % 2 == 0)
                        } else {
                            let id = Int64(step * 2)
                            try store.transaction {
                                try $0.apply([.insert(entity: entity, Rows([user(id + 1)]))])
                                try $0.apply([.insert(entity: entity, Rows([user(id + 2)]))])
                            }
                        }
                    }
                } catch {
                    Issue.record(error)
                }
            }
            #expect(try store.ids(User.self).count == 400)
        }
    }
}
