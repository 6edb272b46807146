import Foundation
import GRDB
import GRDBSQLite
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosSQLite

/// The statement that stays open between look-ups finds what statements of their own find, and keeps neither
/// snapshots nor interruptions beyond their end.
@Suite struct RowLookupTests {
    private struct Refused: Error {}
    private enum Stamp {}

    private let directory: TemporaryDirectory
    private let store: any PersistentStore

    init() throws {
        directory = try TemporaryDirectory()
        let stamp = EntitySchema(
            Stamp.self, table: "stamp", id: Coding.of(Data.self),
            columns: [ColumnSchema("name", Coding.of(String.self))])
        store = try directory.open(
            [TestEntities.company, TestEntities.tag, stamp], StoreOptions(readerCount: 1))
    }

    /// The rows with an ID, of which there is one at the most.
    private func find(
        _ entity: Int, _ id: StoreValue, in session: any StoreSession
    ) throws -> [[StoreValue]] {
        try collect(store.schema.entities[entity].columns) {
            try session.fetch(entity: entity, id: id, $0)
        }
    }

    /// The name of the company with a number, as Active Record asks for it: with one step.
    private func name(_ id: Int64, in session: any StoreSession) throws -> String? {
        var name: String?
        try session.fetch(entity: 0, id: .integer(id)) { cursor in
            if cursor.next() { name = cursor.row.text(at: 1) }
        }
        return name
    }

    private func read<R>(_ body: (SQLiteSession) throws -> R) throws -> R {
        try store.readers[0].read { try body(#require($0 as? SQLiteSession)) }
    }

    private func openStatements(_ session: SQLiteSession) -> Int {
        var count = 0
        var next = sqlite3_next_stmt(session.handle, nil)
        while let statement = next {
            if sqlite3_stmt_busy(statement) != 0 { count += 1 }
            next = sqlite3_next_stmt(session.handle, statement)
        }
        return count
    }

    @Test func `the second look-up of a snapshot opens a statement that the next ones continue`()
        throws
    {
        for id in 1...9 { try store.insert(Company.self, [.integer(Int64(id)), .text("a\(id)")]) }
        for expected in 1...3 {
            let open = try read { session in
                try (1...3).map { id in
                    _ = try name(Int64(id), in: session)
                    return openStatements(session)
                }
            }
            // It is kept for the next read of the same version.
            #expect(open == (expected == 1 ? [0, 1, 1] : [1, 1, 1]))
        }
        try store.insert(Company.self, [10, "a10"])
        #expect(try read { openStatements($0) } == 0)
        try store.close()
    }

    @Test func `an ID without a row ends the statement, and the next look-ups open it again`()
        throws
    {
        try store.insert(Company.self, [1, "a"], [2, "b"])
        try read { session throws in
            for _ in 1...3 {
                #expect(try name(1, in: session) == "a")
                #expect(try name(2, in: session) == "b")
                #expect(openStatements(session) == 1)
                #expect(try name(3, in: session) == nil)
                #expect(openStatements(session) == 0)
            }
        }
        try store.close()
    }

    @Test func `an interruption between two reads disturbs neither look-ups nor queries`() throws {
        try store.insert(Company.self, [1, "a"])
        let request = FetchRequest(entity: 0)
        for _ in 1...5 {
            try read { session throws in for _ in 1...3 { #expect(try name(1, in: session) == "a") }
            }
            store.readers[0].interrupt()
            #expect(try read { try $0.count(request) } == 1)
            store.readers[0].interrupt()
            #expect(try read { try name(1, in: $0) } == "a")
        }
        try store.close()
    }

    @Test func `an interruption during a read ends its look-ups, and leaves the next read alone`()
        throws
    {
        try store.insert(Company.self, [1, "a"])
        _ = try storeError(.interrupted) {
            try read { session in
                for _ in 1...3 { _ = try name(1, in: session) }
                store.readers[0].interrupt()
                _ = try name(1, in: session)
            }
        }
        #expect(try read { openStatements($0) } == 0)
        #expect(try read { try name(1, in: $0) } == "a")
        try store.close()
    }

    @Test func `raw SQL of a read finds no statement open, and can replace a function`() throws {
        try store.insert(Company.self, [1, "a"])
        try read { session throws in
            for number in 1...3 {
                for _ in 1...3 { #expect(try name(1, in: session) == "a") }
                try session.readNatively { database in
                    #expect(openStatements(session) == 0)
                    // SQLite refuses to replace a function while a statement is open.
                    let code = sqlite3_create_function_v2(
                        session.handle, "answer", 0, SQLITE_UTF8, nil,
                        { context, _, _ in sqlite3_result_int(context, 42) }, nil, nil, nil)
                    #expect(code == SQLITE_OK, "\(number)")
                }
            }
        }
        try store.close()
    }

    @Test func `a snapshot that is released does not hold the WAL after look-ups`() throws {
        try store.insert(Company.self, [1, "a"])
        try read { session throws in for _ in 1...3 { _ = try name(1, in: session) } }
        #expect(try directory.isWALHeld())
        let reader = try #require(store.readers[0] as? SQLiteReader)
        reader.releaseSnapshotIfIdle()
        let writer = try #require(store.writer as? SQLiteWriter)
        try writer.access { $0.keptRead.end() }
        #expect(try !directory.isWALHeld())
        try store.close()
    }

    @Test
    func
        `a table is scanned once at the most if statistics from long ago say that it is all but empty`()
        throws
    {
        try store.insert(Company.self, [1, "a1"])
        try store.transaction { session in
            _ = try session.writeNatively { database in
                try #require(database as? Database).execute(sql: "ANALYZE")
            }
        }
        for id in 2...50 { try store.insert(Company.self, [.integer(Int64(id)), .text("a\(id)")]) }
        try read { session throws in
            let plan = try session.explain(session.shared.requests.entities[0].lookUp).plan
            #expect(plan.last?.hasPrefix("SCAN ") == true)
            // The scan finds the first row at once, and shows only when it continues.
            for id in [1, 1, 2, 3, 4] {
                #expect(try name(Int64(id), in: session) == "a\(id)")
            }
            #expect(openStatements(session) == 0)
        }
        try store.close()
    }

    @Test func `a text with a NUL character is refused as by a statement of its own`() throws {
        try read { session throws in
            for _ in 1...3 {
                _ = try storeError(.invalidValue) { _ = try find(1, "a\u{0}b", in: session) }
            }
        }
        try store.close()
    }

    @Test(.seeded, arguments: 0..<Rounds.of(20, least: 5))
    func `random look-ups find what statements of their own find`(_ round: Int) throws {
        var random = SeededNumbers(seed: Seed.current &+ UInt64(round))
        let pool = Pool()
        let reader = try #require(store.readers[0] as? SQLiteReader)
        for step in 0..<150 {
            switch random.below(8) {
            case 0:
                let entity = random.below(3)
                let id = pool.ids[entity][random.below(pool.ids[entity].count)]
                try store.transaction { session in
                    let rows = Rows([[id]])
                    try session.apply([.delete(entity: entity, rows)])
                    if random.happens(66) {
                        let row = Rows([[id, .text("\(step)")]])
                        try session.apply([.insert(entity: entity, row)])
                    }
                }
            case 1: reader.interrupt()
            case 2: reader.releaseSnapshotIfIdle()
            case 3:
                #expect(throws: Refused.self) {
                    try read { session in
                        _ = try look(2, pool, &random, session)
                        throw Refused()
                    }
                }
            default:
                let looks = try read { try look(random.below(12), pool, &random, $0) }
                for look in looks {
                    // Connections that write use a statement for each.
                    let expected = try store.writer.withSession {
                        try find(look.entity, look.id, in: $0)
                    }
                    #expect(look.found == expected, "\(look.entity) \(look.id), step \(step)")
                }
            }
        }
        #expect(try read { try $0.integrityProblems() } == [])
        try store.close()
    }

    private struct Look {
        let entity: Int
        let id: StoreValue
        var found: [[StoreValue]]
    }

    /// Looks rows up, in the ways in which a closure may treat the cursor.
    private func look(
        _ count: Int, _ pool: Pool, _ random: inout SeededNumbers, _ session: SQLiteSession
    ) throws -> [Look] {
        var looks: [Look] = []
        for _ in 0..<count {
            // Mostly IDs of the right type.
            let entity = random.below(3)
            let ids = random.happens(12) ? pool.ids.flatMap(\.self) : pool.ids[entity]
            let id = ids[random.below(ids.count)]
            switch random.below(8) {
            case 0: try session.fetch(entity: entity, id: id) { _ in }
            case 1: _ = try session.count(FetchRequest(entity: entity))
            case 2:
                #expect(throws: Refused.self) {
                    try session.fetch(entity: entity, id: id) { cursor in
                        if cursor.next() { _ = cursor.row.isNull(at: 0) }
                        throw Refused()
                    }
                }
            case 3:
                // To the end, which closes the statement.
                looks.append(Look(entity: entity, id: id, found: try find(entity, id, in: session)))
            case 4:
                var nested: [Look] = []
                try session.fetch(entity: entity, id: id) { cursor in
                    guard cursor.next() else { return }
                    let row = values(entity, cursor.row)
                    nested = try look(2, pool, &random, session)
                    // The row is still the same.
                    #expect(values(entity, cursor.row) == row)
                    nested.append(Look(entity: entity, id: id, found: [row]))
                }
                looks += nested
            default:
                var found: [[StoreValue]] = []
                try session.fetch(entity: entity, id: id) { cursor in
                    if cursor.next() { found.append(values(entity, cursor.row)) }
                }
                looks.append(Look(entity: entity, id: id, found: found))
            }
        }
        return looks
    }

    private func values(_ entity: Int, _ row: RowReader) -> [StoreValue] {
        store.schema.entities[entity].columns.enumerated().map {
            row.storeValue($0.element.storage, at: $0.offset)
        }
    }

    /// IDs for each entity, which may have a row or not.
    private struct Pool {
        let ids: [[StoreValue]] = [
            [0, 1, 2, 12, -5, .integer(.max), .integer(.min)],
            [
                "", "a", "12", "1e3", "\u{e9}", "e\u{301}", "ab\u{1F600}",
                .text(String(repeating: "x", count: 64)), .text(String(repeating: "x", count: 65)),
                .text(String(repeating: "y", count: 500)),
            ],
            [
                .blob([]), .blob([0]), .blob([0, 0]), .blob(Array("a".utf8)),
                .blob(Array(repeating: 7, count: 64)), .blob(Array(repeating: 7, count: 65)),
            ],
        ]
    }
}
