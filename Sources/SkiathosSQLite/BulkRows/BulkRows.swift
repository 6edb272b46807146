import CSkiathosSQLite
import GRDBSQLite
import SkiathosStore

/// The rows of one change while a single statement takes all of them.
///
/// Not `Sendable`: used on the queue of its connection alone, while the statement is stepped.
final class BulkRows {
    /// The number of rows.
    let count: Int
    /// The error of a value that cannot be stored, which has ended the statement.
    private(set) var error: (any Error)?
    /// Whether the statement was ended because it would compare each of these rows with each of
    /// the table's.
    ///
    /// SQLite plans that if statistics, perhaps from long ago, say that the table is all but empty.
    private(set) var isRefused = false

    /// The position of the row that the statement was about when it failed; `nil` where it reads all rows
    /// before it stores the first.
    private(set) var currentRow: Int?

    private let rows: LentRows
    private let statement: OpaquePointer
    private let functions = SQLiteFunctions.results.pointer
    private var wasScanned = false

    /// Takes rows for one run of a statement.
    init(_ rows: LentRows, _ statement: OpaquePointer) {
        self.rows = rows
        self.statement = statement
        count = rows.count
    }

    /// Binds the rows to the first parameter of the statement; returns a result code.
    ///
    /// They must outlive the binding.
    func bind() -> Int32 {
        skiathos_note_large_binding()
        return sqlite3_bind_pointer(
            statement, 1, Unmanaged.passUnretained(self).toOpaque(), Self.pointerType, nil)
    }

    /// The rows that an argument of the table holds; `nil` for every SQL value.
    static func rows(in argument: OpaquePointer?) -> Unmanaged<BulkRows>? {
        guard let argument, let rows = sqlite3_value_pointer(argument, pointerType) else {
            return nil
        }
        return Unmanaged.fromOpaque(rows)
    }

    /// Begins to read the rows; returns a result code.
    func beginScan() -> Int32 {
        if wasScanned { return refuse() }
        wasScanned = true
        currentRow = 0
        rows.moveToRow(0)
        return SQLITE_OK
    }

    /// Moves to another row; returns a result code.
    @inline(__always)
    func move(to row: Int) -> Int32 {
        // The plan of the first row holds for all.
        if row == 1, hasScannedTable { return refuse() }
        currentRow = row
        rows.moveToRow(row)
        return SQLITE_OK
    }

    /// Records that all rows were read.
    func end() { currentRow = nil }

    /// Sets a column of the current row as the result; returns a result code.
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

    /// Whether the statement has gone through a table row by row.
    var hasScannedTable: Bool {
        sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0) > 0
    }

    private func refuse() -> Int32 {
        isRefused = true
        return SQLITE_ABORT
    }

    /// The name of the pointers that SQLite passes on; it must stay where it is.
    private static var pointerType: UnsafePointer<CChar> {
        let name: StaticString = "skiathos_rows"
        return UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
