import GRDB
import GRDBSQLite
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

    @Test(arguments: [
        StoreValue.text(String(repeating: "a", count: 100_000)),
        .blob(Array(repeating: 1, count: 100_000)),
    ])
    func `a statement keeps no large value, also while another one is used`(
        _ large: StoreValue
    ) throws {
        let queue = try DatabaseQueue()
        try queue.inDatabase { database in
            let cache = StatementCache { try database.makeStatement(sql: $0) }
            let (outer, inner) = (
                try cache.statement("SELECT ?"), try cache.statement("SELECT ?, 1")
            )
            func bytes(_ statement: PreparedStatement) -> Int32 {
                sqlite3_stmt_status(statement.pointer, SQLITE_STMTSTATUS_MEMUSED, 0)
            }
            let least = (bytes(outer), bytes(inner))
            func use(_ statement: PreparedStatement, _ value: StoreValue) throws -> Int32 {
                try statement.use { statement in
                    try value.bind(to: statement.parameters, at: 0)
                    #expect(sqlite3_step(statement.pointer) == SQLITE_ROW)
                    return bytes(statement)
                }
            }
            for (first, second) in [(large, .integer(1)), (.integer(1), large), (large, large)] {
                try outer.use { outer in
                    try first.bind(to: outer.parameters, at: 0)
                    #expect(try use(inner, second) > (second == large ? 100_000 : 0))
                    #expect(bytes(outer) > (first == large ? 100_000 : 0))
                }
                #expect(bytes(outer) < least.0 + 1_000)
                #expect(bytes(inner) < least.1 + 1_000)
            }
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
