import GRDB
import SkiathosStore
import Testing

@testable import SkiathosSQLite

@Suite struct StatementCacheTests {
    @Test func `statements are kept, up to a number, and those in use are not shared`() throws {
        let queue = try DatabaseQueue()
        try queue.inDatabase { database in
            let cache = StatementCache { try database.makeStatement(sql: $0) }
            let first = try cache.statement("SELECT 0")
            #expect(try cache.statement("SELECT 0") === first)
            try first.use { _ in
                let second = try cache.statement("SELECT 0")
                #expect(second !== first)
                #expect(try cache.statement("SELECT 0") !== second)
            }
            #expect(try cache.statement("SELECT 0") === first)
            for number in 0..<1000 {
                _ = try cache.statement("SELECT \(number)")
                // Used all the time, so never forgotten.
                #expect(try cache.statement("SELECT 0") === first)
                #expect(cache.count <= StatementCache.capacity)
            }
            cache.removeAll()
            #expect(cache.count == 0)
        }
    }

    @Test func `thousands of different requests leave the connection in order`() throws {
        try StoreKind.file.withStore { store in
            try store.insert(User.self, user(1))
            for number in 0..<600 {
                let parts = Array(repeating: number % 2 == 0, count: number)
                #expect(
                    try store.ids(User.self, where: .all(parts.map { .constant($0) })).count <= 1)
            }
        }
    }
}
