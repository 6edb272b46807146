import GRDBSQLite
import SkiathosStore

/// A connection that only tells whether other connections have committed.
///
/// It never reads the schema, so nothing in the file can have an effect on it. Not `Sendable`: used
/// by one thread at a time.
final class VersionConnection {
    /// What a look has found.
    enum Finding {
        /// Nothing was committed since the last look, or it was the first.
        case nothing
        /// Another connection has committed, or may have.
        case commits
        /// Another process keeps the file locked at the moment.
        case lock
    }

    /// The WAL, by the checksum of its last frame, which covers all before.
    private struct WALVersion: Equatable {
        let checksum: SIMD2<UInt32>
        let pageCount: UInt32

        init(_ header: WALIndexHeader) {
            checksum = header.checksum
            pageCount = header.pageCount
        }
    }

    private let handle: OpaquePointer
    private let statement: OpaquePointer
    private let path: StorePath
    /// SQLite's number, which differs after commits of other connections; `nil` before the first look.
    private var number: Int64?
    /// The WAL when that number was found; `nil` where there is none, or where it was being written.
    private var wal: WALVersion?
    /// The shared memory of all connections to the file, which a commit changes; `nil` before the
    /// first look, and where the file is in another mode than WAL or the memory cannot be used.
    ///
    /// It stays where it is as long as this connection is open, whose lock keeps the file in WAL mode.
    private var index: WALIndex?
    /// What was there before the last look for which SQLite was asked.
    private var mark: WALIndexMark?

    /// Opens the connection.
    ///
    /// - Throws: ``StoreError``.
    init(_ path: StorePath, _ errors: ErrorTranslation) throws {
        var handle: OpaquePointer?
        var code = sqlite3_open_v2(
            path.file, &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil)
        var statement: OpaquePointer?
        if code == SQLITE_OK {
            _ = sqlite3_extended_result_codes(handle, 1)
            // The file control of the same name has the number of this connection's last
            // transaction, and so would a connection that keeps a snapshot.
            code = sqlite3_prepare_v3(
                handle, "PRAGMA data_version", -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement,
                nil)
        }
        guard code == SQLITE_OK, let handle, let statement else {
            let error = errors.error(code, String(cString: sqlite3_errmsg(handle)))
            sqlite3_close_v2(handle)
            throw error
        }
        self.handle = handle
        self.statement = statement
        self.path = path
    }

    deinit {
        sqlite3_finalize(statement)
        sqlite3_close_v2(handle)
    }

    /// Whether the shared memory is as it was at the last look, so that the next one asks SQLite nothing.
    var isUnchanged: Bool { mark != nil && index?.mark == mark }

    /// Looks for commits since the last look.
    ///
    /// Every read that begins later sees them.
    ///
    /// - Throws: ``StoreError``.
    func look(_ errors: ErrorTranslation) throws -> Finding {
        let present = index?.mark
        if let present, present == mark { return .nothing }
        // Taken before SQLite is asked: a commit that comes after it is found by the next look.
        let finding = try ask(errors)
        if finding != .lock { mark = present }
        return finding
    }

    private func ask(_ errors: ErrorTranslation) throws -> Finding {
        let code = sqlite3_step(statement)
        let found = sqlite3_column_int64(statement, 0)
        let message = code == SQLITE_ROW ? "" : String(cString: sqlite3_errmsg(handle))
        _ = sqlite3_reset(statement)
        guard code & 0xFF != SQLITE_BUSY else { return .lock }
        guard code == SQLITE_ROW else { throw errors.error(code, message) }
        guard found != number else { return .nothing }
        let isFirst = number == nil
        number = found
        // Compared only with what was found together with the last number, and so was reported: a
        // commit may come between the two steps of a look.
        index = WALIndex(reading: handle, path)
        let (old, new) = (wal, index?.header.map(WALVersion.init))
        wal = new
        // A checkpoint that truncates the WAL changes the number as a commit does, and leaves the
        // checksum of the last frame.
        return isFirst || (new != nil && new == old) ? .nothing : .commits
    }
}
