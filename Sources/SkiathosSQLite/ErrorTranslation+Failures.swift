import GRDBSQLite
import SkiathosStore

extension ErrorTranslation {
    /// `SQLITE_READONLY_DBMOVED`, which the importer does not see.
    ///
    /// It is also the result if the file's status cannot be read.
    private static let moved = SQLITE_READONLY | 4 << 8

    /// `SQLITE_READONLY_ROLLBACK`: there is a journal that must be rolled back first.
    private static let needsRollback = SQLITE_READONLY | 3 << 8

    /// `SQLITE_READONLY_DIRECTORY`: a WAL or journal could not be made.
    private static let closedDirectory = SQLITE_READONLY | 6 << 8

    /// The error for a failure that has nothing to do with the schema.
    func failure(_ code: Int32, _ message: String) -> StoreError {
        // SQLite passes on nothing but the text of the error of one of our SQL functions.
        if code == SQLITE_ERROR, SQLFunction.failures.contains(message) {
            var error = StoreError(
                .invalidValue,
                "A query computes a value that its type cannot hold (\(message)). Exclude such rows by the condition, or compute with another type."
            )
            error.isColumnCheckFailure = message == ColumnCheck.failure
            return error
        }
        if Self.isTooComplex(code, message) {
            return StoreError(
                .tooComplex,
                "A query has more parts, or more parts inside of each other, than SQLite accepts, so nothing was run. Use fewer closures inside of each other (six are possible in most queries), fewer parts joined by operators, fewer sort keys or a smaller union, or fetch a part first. SQLite says: \(message)."
            )
        }
        if code == SQLITE_ERROR, message == "too many levels of trigger recursion" {
            return StoreError(
                .tooComplex,
                "A statement deletes rows through more levels of references or triggers than SQLite follows (1,000), and may have deleted some of them: roll it back. Delete the rows as objects, or by deleteAll(where:), which go as deep as the rows do. SQLite says: \(message)."
            )
        }
        if code & 0xFF == SQLITE_CANTOPEN { return openingFailure(message) }
        if code == Self.closedDirectory { return directoryFailure(message) }
        if code == Self.needsRollback {
            return StoreError(
                .readOnly,
                "A change of \(store) was cut off, and its rollback journal has to be rolled back first, which opening it read-only cannot do. Open it for writing once. SQLite says: \(message)."
            )
        }
        if code == Self.moved {
            return StoreError(
                .inputOutput,
                "The file of \(store) is not where it was opened, or cannot be examined, so nothing was written. SQLite says: \(message)."
            )
        }
        let (kind, explanation) = description(of: code & 0xFF)
        var error = StoreError(kind, "\(explanation) SQLite says: \(message).")
        error.endsDurability = [ResultCodes.failedSync, ResultCodes.failedDirectorySync].contains(
            code)
        return error
    }

    /// Whether a statement was refused since it is beyond a limit of the connection or of the parser
    /// (sqlite.org/limits.html).
    ///
    /// SQLite measures it while it compiles the statement, and says by its message alone which limit it is.
    private static func isTooComplex(_ code: Int32, _ message: String) -> Bool {
        switch code {
        case SQLITE_ERROR: limits.contains { message.hasPrefix($0) }
        case SQLITE_TOOBIG: message == "statement too long"
        default: false
        }
    }

    /// How messages about limits begin, those of newer versions of SQLite included.
    private static let limits = [
        "parser stack overflow", "Recursion limit", "Expression tree is too large",
        "too many terms in ", "too many columns in ", "too many SQL variables",
        "too many arguments on function", "too many FROM clause terms", "too many references to ",
        "at most ", "fts5: parser stack overflow", "fts5 expression tree is too large",
    ]

    /// The error for a file that SQLite could not open.
    private func openingFailure(_ message: String) -> StoreError {
        let reason = file.map { SystemCalls.reasonNotToOpen($0) }
        let code = reason?.code ?? .inputOutput
        if code == .notPermitted, let file, SystemCalls.isOnlyDirectoryClosed(of: file) {
            return directoryFailure(message)
        }
        // A reason that no longer applies is not named.
        let because = code == .inputOutput ? "" : " (\(reason.map { "\($0)" } ?? ""))"
        let advice = reason?.advice ?? "Try again."
        return StoreError(
            code,
            "A file of \(store) cannot be opened\(because). \(advice) SQLite says: \(message).")
    }

    /// The error for a directory in which this process may not make the files that SQLite needs.
    private func directoryFailure(_ message: String) -> StoreError {
        let place = file.map { "\"\(SystemCalls.directory(of: $0))\"" } ?? "its directory"
        return StoreError(
            .notPermitted,
            "This process may not create files in \(place), where SQLite needs a WAL and its index, also to open \(store) for reading only. Change the directory's permissions, or copy the store, with its WAL if there is one, to a directory that can be written, and open the copy. SQLite says: \(message)."
        )
    }

    private func description(of primaryCode: Int32) -> (StoreError.Code, String) {
        switch primaryCode {
        case SQLITE_FULL:
            (
                .diskFull,
                "The disk of \(store) is full, and nothing was written. Free some space and try again."
            )
        case SQLITE_IOERR:
            (.inputOutput, "Reading, writing or syncing a file of \(store) failed.")
        case SQLITE_CORRUPT:
            (.damaged, "The file of \(store) is damaged. Restore it from a backup.")
        case SQLITE_NOTADB:
            (
                .notADatabase,
                "The file of \(store) is not a database. Check the path; the file was left as it was."
            )
        case SQLITE_READONLY:
            (.readOnly, "The file of \(store) cannot be written.")
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
            (.busy, "Another program held a lock on \(store) for too long.")
        case SQLITE_INTERRUPT:
            (.interrupted, "The operation was interrupted and rolled back.")
        case SQLITE_TOOBIG:
            (
                .tooBig,
                "A value or row is larger than SQLite can hold. Store it in parts, or in a file."
            )
        case SQLITE_PERM:
            (.notPermitted, "A file of \(store) may not be used. Check its permissions.")
        default:
            (.backend, "SQLite refused an operation on \(store).")
        }
    }
}
