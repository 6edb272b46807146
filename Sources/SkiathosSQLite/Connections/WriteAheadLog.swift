import GRDBSQLite
import SkiathosStore

/// The write-ahead log of the writer's connection: how long it is, when it is brought into the
/// main file, and when it is safe on the disk.
///
/// SQLite's automatic checkpoints hide a failing sync, and two connections that write and
/// checkpoint at the same instant can damage a file in versions before 3.51.3. So checkpoints are
/// made here, by the writer alone.
///
/// Not `Sendable`: used on the queue of its connection alone, which guards every field. SQLite
/// calls the hook on that queue too, inside of a commit.
final class WriteAheadLog {
    /// The length in pages from which on a commit is followed by a checkpoint.
    static let checkpointInterval = 1000

    /// How many pages the log had after the last commit.
    private(set) var pages = 0
    /// The length at which the next checkpoint is due.
    private var due = checkpointInterval
    /// The failure of a file operation after which the disk may hold less than SQLite believes.
    ///
    /// It stays until the store is opened anew, since a later sync can succeed without having
    /// written what an earlier one lost.
    private var failure: StoreError?

    private let handle: OpaquePointer
    private let witness: FileWitness?

    /// Listens to the commits of a connection.
    ///
    /// - Parameters:
    ///   - handle: The connection.
    ///   - witness: The files of the store; none for one in memory.
    init(_ handle: OpaquePointer, _ witness: FileWitness?) {
        self.handle = handle
        self.witness = witness
        // The hook takes the place of the automatic checkpoint. It is removed before this object
        // goes away.
        sqlite3_wal_hook(
            handle,
            { log, _, _, pages in
                guard let log else { return SQLITE_OK }
                Unmanaged<WriteAheadLog>.fromOpaque(log).takeUnretainedValue().hasGrown(Int(pages))
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Stops listening.
    ///
    /// Called before the connection is closed.
    func close() { sqlite3_wal_hook(handle, nil, nil) }

    /// Notes the length after a commit.
    private func hasGrown(_ pages: Int) {
        // A shorter log has been started from its beginning.
        if pages < self.pages { due = Self.checkpointInterval }
        self.pages = pages
    }

    /// Brings the log into the main file if it has become long, without waiting for anybody.
    ///
    /// The commit before has succeeded whatever happens here, so a failure is not thrown but
    /// answers the next request to ``sync(_:)``.
    ///
    /// - Parameter prepare: Called before a checkpoint is made.
    func checkpointIfDue(_ errors: ErrorTranslation, prepare: () -> Void) {
        guard pages >= due else { return }
        prepare()
        // A reader may keep the log from starting over; then it is tried again when the log has
        // grown by as much once more.
        due = pages + Self.checkpointInterval
        let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        if code != SQLITE_OK { note(error(code, errors)) }
    }

    /// Brings the whole log into the main file and empties it, unless somebody still reads it.
    func truncate(_ errors: ErrorTranslation) throws {
        let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        guard code != SQLITE_OK, code & 0xFF != SQLITE_BUSY, code & 0xFF != SQLITE_LOCKED else {
            return
        }
        let error = error(code, errors)
        note(error)
        throw error
    }

    /// Makes everything that was committed survive the loss of power.
    ///
    /// The first sync of a log also syncs the directory that it lies in. A failure answers every
    /// later call too.
    func sync(_ errors: ErrorTranslation) throws {
        if let failure { throw failure }
        do {
            try witness?.check()
            try syncFile(errors)
        } catch let error as StoreError {
            failure = error
            throw error
        }
    }

    private func syncFile(_ errors: ErrorTranslation) throws {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let found = withUnsafeMutablePointer(to: &file) {
            sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, $0)
        }
        guard found == SQLITE_OK else { throw error(found, errors) }
        // A file without methods is not open: nothing was committed yet.
        guard let file, let methods = file.pointee.pMethods, let sync = methods.pointee.xSync else {
            return
        }
        let code = sync(file, SQLITE_SYNC_NORMAL)
        guard code == SQLITE_OK else {
            throw StoreError(
                .inputOutput,
                "The log could not be synced, so what was committed may not survive a loss of power. Close the store and open it again.",
                backendCode: Int(code))
        }
    }

    private func note(_ error: StoreError) {
        // A full disk or a busy file leaves the log as it was; only a file operation that failed
        // casts doubt on what the disk holds.
        if error.code == .inputOutput, failure == nil { failure = error }
    }

    private func error(_ code: Int32, _ errors: ErrorTranslation) -> StoreError {
        errors.error(code, String(cString: sqlite3_errmsg(handle)))
    }
}
