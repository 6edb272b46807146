import CSkiathosSQLite
import GRDBSQLite
import SkiathosStore

/// SQLite's functions in the form of the boundary.
enum SQLiteFunctions {
    /// The table that every row is read and bound through.
    static let table = functions(step: sqlite3_step).permanent

    /// The same for the rows of a statement that checks its task for cancellation: no row follows it, however
    /// many SQLite steps through between two checks of its own.
    static let checkingCancellation = functions(
        step: { Task.isCancelled ? SQLITE_INTERRUPT : sqlite3_step($0) }
    ).permanent

    private static func functions(
        step: @escaping StatementFunctions.Command
    ) -> StatementFunctions {
        StatementFunctions(
            row: SQLITE_ROW, done: SQLITE_DONE, step: step,
            execute: { statement in
                let code = sqlite3_step(statement)
                // The result of resetting repeats that of the step.
                _ = sqlite3_reset(statement)
                return code
            },
            reading: reading, binding: binding)
    }

    /// Tells SQLite to copy what it is given before the call returns.
    static var copying: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    private static let reading = StatementFunctions.Reading(
        isNull: { sqlite3_column_type($0, $1) == SQLITE_NULL },
        integer: sqlite3_column_int64, real: sqlite3_column_double,
        text: { SQLiteFunctions.text(of: $0, $1, $2) },
        blob: sqlite3_column_blob, byteCount: sqlite3_column_bytes)

    /// The text of a column, and its length.
    ///
    /// Asking for the value once and then that for both saves a third of what asking the statement
    /// twice takes. Such a value may be used by one thread alone (sqlite.org/c3ref/column_blob.html),
    /// as connections are.
    @inline(__always)
    static func text(
        of statement: OpaquePointer?, _ column: Int32, _ count: UnsafeMutablePointer<Int>
    ) -> UnsafeRawPointer? {
        let value = sqlite3_column_value(statement, column)
        let start = sqlite3_value_text(value)
        count.pointee = Int(sqlite3_value_bytes(value))
        return UnsafeRawPointer(start)
    }

    private static let binding = StatementFunctions.Binding(
        null: sqlite3_bind_null, integer: sqlite3_bind_int64, real: sqlite3_bind_double,
        text: skiathos_bind_text, blob: skiathos_bind_blob)
}

extension SQLiteFunctions {
    /// The table that the columns of rows are answered through which a statement asks for.
    ///
    /// Its "statement" is the context of one answer, so positions mean nothing; a value that
    /// is too big makes the statement fail.
    static let results = StatementFunctions(
        row: SQLITE_ROW, done: SQLITE_DONE, step: { _ in SQLITE_MISUSE },
        execute: { _ in SQLITE_MISUSE },
        reading: reading,
        binding: StatementFunctions.Binding(
            null: { context, _ in
                sqlite3_result_null(context)
                return SQLITE_OK
            },
            integer: { context, _, value in
                sqlite3_result_int64(context, value)
                return SQLITE_OK
            },
            real: { context, _, value in
                sqlite3_result_double(context, value)
                return SQLITE_OK
            },
            text: { context, _, start, count in
                let start = start?.assumingMemoryBound(to: CChar.self)
                sqlite3_result_text64(
                    context, start ?? emptyText, UInt64(count), copying, UInt8(SQLITE_UTF8))
                return SQLITE_OK
            },
            blob: { context, _, start, count in
                if let start, count > 0 {
                    sqlite3_result_blob64(context, start, UInt64(count), copying)
                } else {
                    sqlite3_result_zeroblob(context, 0)
                }
                return SQLITE_OK
            })
    ).permanent

    /// The table that the arguments of functions are read through which a statement calls.
    ///
    /// Its "statement" is one argument, so positions mean nothing.
    static let arguments = StatementFunctions(
        row: SQLITE_ROW, done: SQLITE_DONE, step: { _ in SQLITE_MISUSE },
        execute: { _ in SQLITE_MISUSE },
        reading: StatementFunctions.Reading(
            isNull: { value, _ in sqlite3_value_type(value) == SQLITE_NULL },
            integer: { value, _ in sqlite3_value_int64(value) },
            real: { value, _ in sqlite3_value_double(value) },
            text: { value, _, count in
                let start = sqlite3_value_text(value)
                count.pointee = Int(sqlite3_value_bytes(value))
                return UnsafeRawPointer(start)
            },
            blob: { value, _ in sqlite3_value_blob(value) },
            byteCount: { value, _ in sqlite3_value_bytes(value) }),
        binding: binding
    ).permanent

    /// No text, where no start would mean no value.
    private static var emptyText: UnsafePointer<CChar> {
        let text: StaticString = ""
        return UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
