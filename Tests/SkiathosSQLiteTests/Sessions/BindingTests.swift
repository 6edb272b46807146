import GRDB
import GRDBSQLite
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosSQLite

/// A statement has the values that were last bound to its parameters, whatever their length.
@Suite struct BindingTests {
    /// A statement and what is bound to it.
    private struct Bound {
        let statement: PreparedStatement
        var values: [StoreValue]

        init(_ count: Int, _ cache: StatementCache) throws {
            let list = (1...count).map { "?\($0)" }.joined(separator: ", ")
            statement = try cache.compile("SELECT \(list)")
            values = Array(repeating: .null, count: count)
        }

        /// Binds some values, executes the statement, and compares.
        mutating func use(
            _ random: inout SeededNumbers, between: (inout SeededNumbers) throws -> Void
        ) throws {
            for _ in 0..<3 {
                let changed = values.indices.filter { _ in Bool.random(using: &random) }
                for position in changed { values[position] = BindingTests.value(&random) }
                let values = values
                try statement.use { statement in
                    for position in changed {
                        try values[position].bind(to: statement.parameters, at: position)
                        if position % 5 == 0 { try between(&random) }
                    }
                    #expect(sqlite3_step(statement.pointer) == SQLITE_ROW)
                    try between(&random)
                    let row = RowReader(
                        statement: statement.pointer, functions: SQLiteFunctions.table.pointer)
                    for position in values.indices {
                        #expect(
                            BindingTests.read(row, statement.pointer, position) == values[position])
                    }
                }
                // With a large value all others go, too.
                if changed.contains(where: { BindingTests.length(values[$0]) > 256 }) {
                    self.values = self.values.map { _ in .null }
                }
            }
        }
    }

    @Test(.seeded, arguments: [1, 7, 16, 17, 40])
    func `values are those that were bound last, also while another statement is used`(
        count: Int
    ) throws {
        var random = SeededNumbers(seed: Seed.current &+ UInt64(count))
        let queue = try DatabaseQueue()
        try queue.inDatabase { database in
            let cache = StatementCache { try database.makeStatement(sql: $0) }
            var (outer, inner) = (try Bound(count, cache), try Bound(3, cache))
            for _ in 0..<60 {
                try outer.use(&random) { random in
                    guard Int.random(in: 0..<4, using: &random) == 0 else { return }
                    try inner.use(&random) { _ in }
                }
            }
        }
    }

    @Test func `a statement can be given values while another one is used`() throws {
        let queue = try DatabaseQueue()
        try queue.inDatabase { database in
            let cache = StatementCache { try database.makeStatement(sql: $0) }
            let (outer, inner) = (
                try cache.compile("SELECT ?1, ?2"), try cache.compile("SELECT ?1, ?2")
            )
            func texts(_ statement: PreparedStatement) -> [String?] {
                #expect(sqlite3_step(statement.pointer) == SQLITE_ROW)
                let row = RowReader(
                    statement: statement.pointer, functions: SQLiteFunctions.table.pointer)
                return [row.text(at: 0), row.text(at: 1)]
            }
            try outer.use { outer in
                try outer.parameters.bind("a", at: 0)
                try inner.use { inner in
                    try inner.parameters.bind("b", at: 0)
                    try outer.parameters.bind("c", at: 0)
                    try outer.parameters.bind("d", at: 1)
                    try inner.parameters.bind("e", at: 1)
                    #expect(texts(inner) == ["b", "e"])
                }
                #expect(texts(outer) == ["c", "d"])
            }
        }
    }

    @Test func `a parameter that is not there is refused`() throws {
        let queue = try DatabaseQueue()
        try queue.inDatabase { database in
            let cache = StatementCache { try database.makeStatement(sql: $0) }
            try cache.statement("SELECT ?1, ?2").use { statement in
                for position in [2, 15, 16, 1_000] {
                    #expect(throws: BackendFailure.self) {
                        try statement.parameters.bind("a", at: position)
                    }
                }
            }
        }
    }

    private static func length(_ value: StoreValue) -> Int {
        switch value {
        case .text(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        case .null, .integer, .real: 0
        }
    }

    private static func value(_ random: inout SeededNumbers) -> StoreValue {
        // Large values are rare, since all values of the statement go with them.
        let isLarge = Int.random(in: 0..<60, using: &random) == 0
        let lengths = isLarge ? [257, 5_000] : [0, 1, 15, 16, 63, 64, 65, 255, 256]
        let length = lengths.randomElement(using: &random) ?? 0
        let byte = UInt8.random(in: 97...122, using: &random)
        return switch Int.random(in: 0..<5, using: &random) {
        case 0: .null
        case 1: .integer(Int64.random(in: .min ... .max, using: &random))
        case 2: .blob(Array(repeating: byte, count: length))
        default: .text(String(repeating: Character(UnicodeScalar(byte)), count: length))
        }
    }

    private static func read(
        _ row: RowReader, _ statement: OpaquePointer, _ column: Int
    ) -> StoreValue {
        switch sqlite3_column_type(statement, Int32(column)) {
        case SQLITE_INTEGER: .integer(row.integer(at: column))
        case SQLITE_TEXT: .text(row.text(at: column) ?? "")
        case SQLITE_BLOB: row.withBytes(at: column) { .blob(Array($0)) }
        default: .null
        }
    }
}
