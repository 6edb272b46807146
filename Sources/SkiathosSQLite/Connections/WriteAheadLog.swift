import GRDBSQLite
import SkiathosStore

/// The write-ahead log of the writer's connection: how long it is, and when and how it is brought
/// into the main file.
///
/// SQLite's automatic checkpoints hide a failing sync, and two connections that write and
/// checkpoint at the same instant can damage a file in versions before 3.51.3. So checkpoints are
/// made here, by the writer alone.
///
/// Not `Sendable`: used on the queue of its connection alone, which guards every field. SQLite
/// calls the hook on that queue too, inside of a commit.
final class WriteAheadLog {
    /// Bytes before each page of the log.
    private static let frameHeaderSize = 24
    /// How many times longer than due the log may be before a checkpoint must not wait, and before
    /// a checkpoint waits for reads.
    private static let patience = 4
    /// How often a checkpoint is tried that is interrupted.
    private static let attempts = 16

    /// How many pages the log had after the last commit.
    var pages = 0
    /// How many pages a log may have before a checkpoint is due, as the user wishes it.
    let usualInterval: Int
    /// The same, on a disk that has little room: the main file must be able to take the pages.
    var interval: Int
    /// The length at which the next checkpoint is due.
    private var due: Int
    /// How far the log has come by the last checkpoint.
    private var progress = Progress.partly

    let handle: OpaquePointer
    let pageSize: Int
    private let barrier: LogBarrier
    /// Room for deletions; removed when the store is closed.
    let reserve: DiskReserve
    /// Whether the disk was found full, or nearly so, and has not been found to have room since.
    var isShortOfSpace = false
    /// Whether the open transaction, which has only deleted so far, has been given the reserve.
    var isReserveLent = false
    /// The length at which the next checkpoint is made while space is short.
    var urgent = 0
    /// The length that the last checkpoint could not bring into the main file; `nil` if it could.
    var lengthLeft: Int?
    /// Who hears about growth and checkpoints.
    private let observer: (any StoreObserver)?
    /// SQLite's version of the data after the last transaction; none at first and after failures.
    private var dataVersion: UInt32?

    private enum Progress {
        /// Some of it is not in the main file, or new pages were added to it since.
        case partly
        /// All of it is there, so that the next commit starts it over unless a read holds it. The
        /// header is that of the log as it was; none if it could not be read.
        case wholly(LogHeader?)
    }

    /// Listens to the commits of a connection.
    ///
    /// - Parameter options: Say when a checkpoint is due, and who is told of it.
    init(
        _ handle: OpaquePointer, _ barrier: LogBarrier, _ reserve: DiskReserve, pageSize: Int,
        _ options: StoreOptions
    ) {
        self.handle = handle
        self.barrier = barrier
        self.reserve = reserve
        self.pageSize = pageSize
        observer = options.observer
        usualInterval = max(1, options.checkpointSize / (pageSize + Self.frameHeaderSize))
        interval = usualInterval
        due = interval
        chooseInterval()
        due = interval
        listen()
    }

    /// Has SQLite tell of commits, also after somebody has taken the hook's place.
    ///
    /// The hook itself takes the place of the automatic checkpoint. It is removed before this object
    /// goes away.
    func listen() {
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
    func close() {
        sqlite3_wal_hook(handle, nil, nil)
        barrier.close()
        reserve.release()
    }

    /// Notes the length after a commit.
    private func hasGrown(_ pages: Int) {
        if hasStartedOver(pages) {
            due = interval
            urgent = lengthUntilUrgent
        }
        progress = .partly
        self.pages = pages
        barrier.logHasSize(Int64(size))
        observer?.logChanged(size: size)
    }

    /// Whether a commit has started the log from its beginning.
    private func hasStartedOver(_ pages: Int) -> Bool {
        if pages < self.pages { return true }
        // A commit may well be longer than the whole log before it.
        guard case .wholly(let header) = progress else { return false }
        // Where it cannot be told, a checkpoint too early does less harm than one too late.
        return header == nil || LogHeader(handle) != header
    }

    /// How many bytes the log has: each page with a header (sqlite.org/fileformat2.html, 4.1).
    private var size: Int { LogHeader.size + pages * (Self.frameHeaderSize + pageSize) }

    /// Whether the log is long and not wholly in the main file, however often that was tried.
    ///
    /// A snapshot that is taken when it is there as a whole reads the main file alone, and does not
    /// keep the next commit from starting the log over (`walTryBeginRead`, `walRestartLog` in
    /// sqlite.org/src/file/src/wal.c).
    var isLong: Bool {
        guard pages >= interval, case .partly = progress else { return false }
        return true
    }

    /// Whether the log should be brought into the main file.
    var checkpointNeed: CheckpointNeed {
        if isShortOfSpace, pages >= urgent, pages > 0, case .partly = progress { return .overdue }
        if pages < due { return .none }
        return pages < due + (Self.patience - 1) * interval ? .due : .overdue
    }

    /// Brings the log into the main file, as far as no reader is in the way, and has the readers
    /// take new snapshots, so that the next commit can start the log over.
    ///
    /// Where reads follow each other without end, one of them has an older snapshot at any moment.
    /// Once the log is long, so a short wait is made until each has ended the read that it was in.
    ///
    /// - Parameter patience: Waits for other programs, unless the disk is full.
    func checkpoint(
        _ version: SharedVersion?, _ patience: BusyPatience?, _ errors: ErrorTranslation
    ) throws {
        let start = ContinuousClock.now
        let isLong = pages >= Self.patience * interval || isShortOfSpace
        // A reader may keep the log from starting over; then it is tried again when the log has
        // grown by as much once more.
        due = pages + interval
        var pauses = 0
        version?.renewSnapshots()
        var isWhole = false
        defer { checkpointEnded(isWhole: isWhole) }
        try makeRoom(version, &pauses)
        do {
            isWhole = try advance(errors)
        } catch let error as StoreError where error.code == .interrupted {
            // The next commit sees to it.
            due = pages
            throw error
        } catch let error as StoreError where error.code == .diskFull {
            isShortOfSpace = true
            throw error
        }
        if !isWhole, isLong, version?.awaitRenewal(&pauses) == true {
            isWhole = try advance(errors)
        }
        if isWhole {
            progress = .wholly(LogHeader(handle))
            version?.renewSnapshots()
            if isLong { _ = version?.awaitRenewal(&pauses) }
        }
        let logSize = size
        if isWhole, interval < usualInterval || isShortOfSpace { try empty(patience, errors) }
        observer?.checkpointMade(
            StoreCheckpoint(
                duration: start.duration(to: .now), logSize: logSize, isHeldByRead: !isWhole))
    }

    /// Frees the room of the log, which the main file has, unless a read is in the way.
    private func empty(_ patience: BusyPatience?, _ errors: ErrorTranslation) throws {
        // Nothing is waited for: the next checkpoint does the same.
        patience?.uninstall(from: handle)
        defer { patience?.install(on: handle) }
        guard try checkpointUnlessHindered(SQLITE_CHECKPOINT_TRUNCATE, errors) else { return }
        pages = 0
        progress = .wholly(nil)
    }

    /// Makes one checkpoint, which waits for no reader, and tells whether it got to the end of the
    /// log.
    private func advance(_ errors: ErrorTranslation) throws -> Bool {
        var (logged, done) = (Int32(0), Int32(0))
        return try barrier.checkpointing {
            let code = checkpoint(SQLITE_CHECKPOINT_PASSIVE, &logged, &done)
            if code != SQLITE_OK { throw error(code, errors) }
            return done >= logged
        }
    }

    /// Brings the whole log into the main file and empties it, unless a reader or another program
    /// is in the way; the log is synced at least.
    func truncate(_ errors: ErrorTranslation) throws {
        // The main file may need its room.
        reserve.release()
        if try !checkpointUnlessHindered(SQLITE_CHECKPOINT_PASSIVE, errors) {
            // A read of another process holds the WAL. Whichever connection is closed last brings it
            // into the main file and removes it.
            try barrier.forgetClaim()
        }
        let isDone = try checkpointUnlessHindered(SQLITE_CHECKPOINT_TRUNCATE, errors)
        // It may not have come to the sync that each checkpoint begins with.
        if !isDone { try barrier.sync() }
    }

    /// Makes a checkpoint, and tells whether neither a reader nor another program was in the way.
    private func checkpointUnlessHindered(
        _ mode: Int32, _ errors: ErrorTranslation
    ) throws -> Bool {
        var (logged, done) = (Int32(0), Int32(0))
        return try barrier.checkpointing {
            let code = checkpoint(mode, &logged, &done)
            if [SQLITE_BUSY, SQLITE_LOCKED].contains(code & 0xFF) { return false }
            if code != SQLITE_OK { throw error(code, errors) }
            return done >= logged
        }
    }

    /// Makes a checkpoint, past interruptions, which are meant for a statement that has ended.
    ///
    /// SQLite forgets an interruption that a checkpoint has met.
    private func checkpoint(
        _ mode: Int32, _ logged: UnsafeMutablePointer<Int32>?, _ done: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        var code = SQLITE_INTERRUPT
        for _ in 0..<Self.attempts where code & 0xFF == SQLITE_INTERRUPT {
            code = sqlite3_wal_checkpoint_v2(handle, nil, mode, logged, done)
        }
        return code
    }

    /// Makes sure that nobody else has written since the last transaction.
    ///
    /// Called in a transaction that has just begun, when SQLite has looked for such changes.
    func requireSoleWriter() throws {
        guard let dataVersion, dataVersion != currentDataVersion else { return }
        try barrier.noting {
            throw StoreError(
                .interference,
                "Another program has written to the store while it was open, past its lock. Nothing more is written here. Find out who did it, and open the store again."
            )
        }
    }

    /// Looks at the files, if that is due, before a transaction is committed.
    func lookBeforeCommit() throws { try barrier.lookBeforeCommit() }

    /// Runs a commit, which syncs the header of a WAL that starts over, and remembers if that sync
    /// has failed.
    func committing(_ commit: () throws -> Void) throws {
        do {
            try commit()
        } catch let error as StoreError where error.endsDurability {
            try barrier.noting { throw error }
        }
    }

    /// Notes the state that a transaction has left.
    func transactionEnded() { dataVersion = currentDataVersion }

    /// Forgets the state after a failure, which SQLite may take for a change of another connection.
    func operationFailed() { dataVersion = nil }

    /// A number that changes with each commit of this connection, and when it notices one of
    /// another.
    private var currentDataVersion: UInt32? {
        var version: UInt32 = 0
        let code = withUnsafeMutablePointer(to: &version) {
            sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, $0)
        }
        return code == SQLITE_OK ? version : nil
    }

    private func error(_ code: Int32, _ errors: ErrorTranslation) -> StoreError {
        errors.error(code, String(cString: sqlite3_errmsg(handle)))
    }
}
