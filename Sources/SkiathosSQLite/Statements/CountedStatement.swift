import GRDBSQLite
import SkiathosStore

/// A statement that counts the rows it returns, and stops at a limit.
///
/// A cursor of it uses a function table of its own, so that other statements do not pay for
/// the counting.
struct CountedStatement {
    /// SQLite's statement.
    let pointer: OpaquePointer
    /// How many rows it may return.
    let allowance: Int
    /// Whether each step checks the task for cancellation.
    let checksCancellation: Bool
    /// How many rows it has reached, one more than its allowance if it was stopped.
    var rows = 0

    /// Whether it was stopped.
    var isStopped: Bool { rows > allowance }

    /// The functions for cursors whose statement is the address of one of these.
    static let table = StatementFunctions(
        row: SQLITE_ROW, done: SQLITE_DONE, step: step,
        // A cursor neither executes nor binds.
        execute: { _ in SQLITE_MISUSE }, reading: reading, binding: binding
    ).permanent

    private static let step: StatementFunctions.Command = { statement in
        guard let statement else { return SQLITE_MISUSE }
        let counted = UnsafeMutablePointer<CountedStatement>(statement)
        if counted.pointee.checksCancellation, Task.isCancelled { return SQLITE_INTERRUPT }
        let code = sqlite3_step(counted.pointee.pointer)
        guard code == SQLITE_ROW else { return code }
        counted.pointee.rows += 1
        return counted.pointee.isStopped ? SQLITE_ABORT : code
    }

    private static func base(_ statement: OpaquePointer?) -> OpaquePointer? {
        statement.map { UnsafePointer<CountedStatement>($0).pointee.pointer }
    }

    private static let reading = StatementFunctions.Reading(
        isNull: { sqlite3_column_type(base($0), $1) == SQLITE_NULL },
        integer: { sqlite3_column_int64(base($0), $1) },
        real: { sqlite3_column_double(base($0), $1) },
        text: { SQLiteFunctions.text(of: base($0), $1, $2) },
        blob: { sqlite3_column_blob(base($0), $1) },
        byteCount: { sqlite3_column_bytes(base($0), $1) })

    private static let binding = StatementFunctions.Binding(
        null: { _, _ in SQLITE_MISUSE }, integer: { _, _, _ in SQLITE_MISUSE },
        real: { _, _, _ in SQLITE_MISUSE }, text: { _, _, _, _ in SQLITE_MISUSE },
        blob: { _, _, _, _ in SQLITE_MISUSE })
}
