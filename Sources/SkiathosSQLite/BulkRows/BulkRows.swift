import GRDBSQLite
import SkiathosStore

/// The rows of one change while a single statement takes all of them.
///
/// Not `Sendable`: used on the queue of its connection alone, while the statement is stepped.
final class BulkRows {
    /// The rows.
    let rows: LentRows
    /// The error of a value that cannot be stored, which has ended the statement.
    private(set) var error: (any Error)?
    /// Whether the statement asked for the rows again and again, and so was ended.
    ///
    /// It does if statistics make SQLite believe that the entity's table is all but empty: it then
    /// compares each of its rows with each of these.
    private(set) var isScannedAgain = false
    private var wasScanned = false
    private let functions = SQLiteFunctions.results.pointer

    /// Takes rows for one statement.
    init(_ rows: LentRows) { self.rows = rows }

    /// Begins to read the rows; returns a result code.
    func beginScan() -> Int32 {
        if wasScanned {
            isScannedAgain = true
            return SQLITE_ABORT
        }
        wasScanned = true
        rows.moveToRow(0)
        return SQLITE_OK
    }

    /// Answers with a column of the current row; returns a result code.
    @inline(__always)
    func answer(_ context: OpaquePointer, _ column: Int32) -> Int32 {
        do {
            try rows.bind(
                Int(column), to: ParameterWriter(statement: context, functions: functions))
            return SQLITE_OK
        } catch {
            self.error = error
            return SQLITE_ABORT
        }
    }

    /// Lends the rows to the first parameter of a statement.
    ///
    /// They must outlive the binding.
    func bind(to statement: OpaquePointer) -> Int32 {
        sqlite3_bind_pointer(
            statement, 1, Unmanaged.passUnretained(self).toOpaque(), Self.pointerType, nil)
    }

    /// The rows that an argument of the table holds; `nil` for everything that SQL can say.
    static func rows(in argument: OpaquePointer?) -> Unmanaged<BulkRows>? {
        sqlite3_value_pointer(argument, pointerType).map { Unmanaged.fromOpaque($0) }
    }

    /// The name of the pointers that SQLite passes on; it must stay where it is.
    private static var pointerType: UnsafePointer<CChar> {
        let name: StaticString = "skiathos_rows"
        return UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
