import CSkiathosSQLite
import GRDB
import GRDBSQLite
import SkiathosStore

/// A compiled statement and whether it is in use.
///
/// Not `Sendable`: used only by the holder of the connection.
final class PreparedStatement {
    /// SQLite's statement, stepped directly; GRDB's object owns it.
    let pointer: OpaquePointer
    /// Whether rows are being read from or sent to it.
    ///
    /// Guarded like the connection.
    private(set) var isInUse = false
    /// When it was last used, in uses of the cache.
    ///
    /// Guarded like the connection.
    var lastUse = 0

    /// How many rows were decoded the last time.
    var rowCount = 0

    private let statement: Statement
    /// Where its small values are; freed after the statement was used for the last time.
    private let bindings: UnsafeMutablePointer<skiathos_bindings>

    /// Takes a statement that was just compiled.
    init(_ statement: Statement) {
        self.statement = statement
        pointer = statement.sqliteStatement
        bindings = .allocate(capacity: 1)
        bindings.initialize(
            to: skiathos_bindings(
                statement: pointer, places: nil, place_count: 0, has_large_value: false))
    }

    deinit {
        skiathos_free_bindings(bindings)
        bindings.deallocate()
    }

    /// Where values are bound.
    var parameters: ParameterWriter {
        ParameterWriter(statement: pointer, functions: SQLiteFunctions.table.pointer)
    }

    /// Runs a closure that binds a value to each parameter, and resets the statement in any case.
    ///
    /// So it keeps neither a read transaction open nor large values in memory.
    @inline(__always)
    func use<R>(_ body: (PreparedStatement) throws -> R) throws -> R {
        isInUse = true
        let outer = skiathos_exchange_bindings(bindings)
        defer {
            // The result repeats that of the last step, which the body has seen.
            _ = sqlite3_reset(pointer)
            _ = skiathos_exchange_bindings(outer)
            // Small values stay: clearing them costs as much as binding them.
            if bindings.pointee.has_large_value {
                bindings.pointee.has_large_value = false
                sqlite3_clear_bindings(pointer)
            }
            isInUse = false
        }
        return try body(self)
    }
}
