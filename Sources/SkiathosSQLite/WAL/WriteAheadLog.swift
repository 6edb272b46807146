import GRDBSQLite
import SkiathosStore

/// The WAL of the writer's connection: tracks its length and checkpoints it.
///
/// SQLite's automatic checkpoints hide a failing sync, and two connections that write and
/// checkpoint at the same instant can damage a file in versions before 3.51.3. So checkpoints
/// are made here, only by the writer.
///
/// Not `Sendable`: used on the queue of its connection alone, which guards every field. SQLite
/// calls the hook on that queue too, inside of a commit.
final class WriteAheadLog {
    /// How many times longer than due the WAL may be before a checkpoint must not be
    /// postponed, and before a checkpoint waits for reads.
    private static let patience = 4
    /// How often an interrupted checkpoint is retried.
    private static let attempts = 16

    /// How many pages the WAL had after the last commit.
    var pages = 0
    /// The configured number of WAL pages at which a checkpoint is due.
    let usualInterval: Int
    /// The same, on a disk that has little room: the main file must be able to take the pages.
    var interval: Int
    /// The length at which the next checkpoint is due.
    private var due: Int
    /// Whether the last checkpoint has copied the whole WAL, so that the next commit restarts it unless a
    /// read holds it.
    private var isCheckpointed = false
    /// Whether the next transaction renews the mark in the header of the main file.
    private(set) var needsMark = true
    /// The salts of the WAL after the last commit; `nil` before the first.
    private var salts: WALSalts?
    let index: WALIndex

    let handle: OpaquePointer
    let pageSize: Int
    private let barrier: WALSync
    /// Disk space for deletions; released when the store is closed.
    let reserve: DiskReserve
    /// Whether the disk was found full, or nearly so, and has not been found to have room since.
    var isShortOfSpace = false
    /// Whether the reserve was released for the open transaction, which has only deleted so
    /// far.
    var isReserveLent = false
    /// The length at which the next checkpoint is made while space is short.
    var urgent = 0
    /// The length of the WAL that the last checkpoint could not copy; `nil` if it copied all.
    var lengthLeft: Int?
    /// The observer of growth and checkpoints.
    private let observer: (any StoreObserver)?
    /// SQLite's version of the data after the last transaction; none at first and after failures.
    private var dataVersion: UInt32?
    /// How many transactions the WAL had then, of all connections.
    private var commitCount: UInt32 = 0

    /// Listens to the commits of a connection.
    ///
    /// - Parameter options: The checkpoint interval, and the observer.
    init(
        _ handle: OpaquePointer, _ index: WALIndex, _ barrier: WALSync, _ reserve: DiskReserve,
        pageSize: Int, _ options: StoreOptions
    ) {
        self.handle = handle
        self.index = index
        self.barrier = barrier
        self.reserve = reserve
        self.pageSize = pageSize
        observer = options.observer
        usualInterval = max(1, options.checkpointSize / (pageSize + WALWalk.frameHeaderSize))
        interval = usualInterval
        due = interval
        chooseInterval()
        due = interval
        listen()
    }

    /// Installs the WAL hook, also after other code has replaced it.
    ///
    /// The hook replaces the automatic checkpoint. It is removed before this object is
    /// released.
    func listen() {
        sqlite3_wal_hook(
            handle,
            { wal, _, _, pages in
                guard let wal else { return SQLITE_OK }
                Unmanaged<WriteAheadLog>.fromOpaque(wal).takeUnretainedValue().hasGrown(Int(pages))
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

    /// Records the length after a commit.
    private func hasGrown(_ pages: Int) {
        let salts = index.salts
        if let last = self.salts {
            if last != salts { hasRestarted() }
        } else {
            barrier.walBegan(salts)
        }
        self.salts = salts
        isCheckpointed = false
        needsMark = false
        self.pages = pages
        barrier.walHasSize(Int64(size), salts)
        observer?.walGrew(size: size)
    }

    private func hasRestarted() {
        if !isCheckpointed { barrier.walRestartedElsewhere() }
        due = interval
        urgent = lengthUntilUrgent
    }

    /// How many bytes the WAL has: each page with a header (sqlite.org/fileformat2.html, 4.1).
    private var size: Int { WALWalk.headerSize + pages * (WALWalk.frameHeaderSize + pageSize) }

    /// Whether the WAL is long and not completely checkpointed, in spite of all attempts.
    ///
    /// A snapshot that is taken when the WAL is completely checkpointed reads only the main
    /// file, and does not keep the next commit from restarting the WAL (`walTryBeginRead`,
    /// `walRestartLog` in sqlite.org/src/file/src/wal.c).
    var isLong: Bool {
        pages >= interval && !isCheckpointed
    }

    /// Whether the WAL should be checkpointed.
    var checkpointNeed: CheckpointNeed {
        if isShortOfSpace, pages >= urgent, pages > 0, !isCheckpointed { return .overdue }
        if pages < due { return .none }
        return pages < due + (Self.patience - 1) * interval ? .due : .overdue
    }

    /// Checkpoints the WAL as far as the readers' snapshots allow, and renews these snapshots.
    ///
    /// After that, the next commit can restart the WAL.
    ///
    /// Where reads follow each other without a pause, one of them has an older snapshot at any
    /// moment. So once the WAL is long, the checkpoint waits briefly until each running read
    /// has ended.
    ///
    /// - Parameter patience: Waits for other programs, unless the disk is full.
    func checkpoint(
        _ version: CommitCounter?, _ patience: BusyPatience?, _ errors: ErrorTranslation
    ) throws {
        let start = ContinuousClock.now
        let isLong = pages >= Self.patience * interval || isShortOfSpace
        // A reader may keep the WAL from restarting; then the next attempt follows when the
        // WAL has grown by another interval.
        due = pages + interval
        var pauses = 0
        version?.renewSnapshots()
        var isWhole = false
        defer { checkpointEnded(isWhole: isWhole) }
        try makeRoom(version, &pauses)
        do {
            isWhole = try advance(errors)
        } catch let error as StoreError where error.code == .interrupted {
            // The next commit makes the checkpoint.
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
            isCheckpointed = true
            needsMark = true
            version?.renewSnapshots()
            if isLong { _ = version?.awaitRenewal(&pauses) }
        }
        let walSize = size
        if isWhole, interval < usualInterval || isShortOfSpace { try empty(patience, errors) }
        observer?.checkpointMade(
            StoreCheckpoint(
                duration: start.duration(to: .now), walSize: walSize, isHeldByRead: !isWhole))
    }

    /// Truncates the checkpointed WAL to free its space, unless a read holds it.
    private func empty(_ patience: BusyPatience?, _ errors: ErrorTranslation) throws {
        // Does not wait: the next checkpoint does the same.
        patience?.uninstall(from: handle)
        defer { patience?.install(on: handle) }
        guard try checkpointUnlessHindered(SQLITE_CHECKPOINT_TRUNCATE, errors) else { return }
        pages = 0
    }

    /// Makes one passive checkpoint; returns whether it reached the end of the WAL.
    private func advance(_ errors: ErrorTranslation) throws -> Bool {
        var (logged, done) = (Int32(0), Int32(0))
        return try barrier.checkpointing {
            let code = checkpoint(SQLITE_CHECKPOINT_PASSIVE, &logged, &done)
            if code != SQLITE_OK { throw error(code, errors) }
            return done >= logged
        }
    }

    /// Checkpoints and truncates the whole WAL, unless a reader or another program prevents
    /// it.
    ///
    /// The WAL is at least synced.
    func truncate(_ errors: ErrorTranslation) throws {
        // The main file may need the space of the reserve.
        reserve.release()
        if try !checkpointUnlessHindered(SQLITE_CHECKPOINT_PASSIVE, errors) {
            // A read of another process holds the WAL. The connection that is closed last
            // checkpoints and removes it.
            try barrier.forgetClaim()
        }
        let isDone = try checkpointUnlessHindered(SQLITE_CHECKPOINT_TRUNCATE, errors)
        // The checkpoint may have failed before the sync that it begins with.
        if !isDone { try barrier.sync() }
    }

    /// Makes a checkpoint; returns whether neither a reader nor another program prevented it.
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

    /// Makes a checkpoint, and retries it after interruptions, which are meant for an ended
    /// statement.
    ///
    /// SQLite clears an interruption that has stopped a checkpoint.
    private func checkpoint(
        _ mode: Int32, _ logged: UnsafeMutablePointer<Int32>?, _ done: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        var code = SQLITE_INTERRUPT
        for _ in 0..<Self.attempts where code & 0xFF == SQLITE_INTERRUPT {
            code = sqlite3_wal_checkpoint_v2(handle, nil, mode, logged, done)
        }
        return code
    }

    /// Throws if another connection has written since the last transaction.
    ///
    /// Called in a transaction that has just begun, when SQLite has checked for such changes.
    func requireSoleWriter() throws {
        guard let dataVersion, dataVersion != currentDataVersion else { return }
        // A checkpoint that has emptied the WAL changes the version, too.
        if index.commitCount == commitCount, index.header?.frameCount == 0 { return }
        try barrier.recordingFailure {
            throw StoreError(
                .interference,
                "Another program has written to the store while it was open, past its lock. Nothing more is written here. Find out which program did it, and open the store again."
            )
        }
    }

    /// Checks the files, if that is due, before a commit.
    func checkBeforeCommit() throws { try barrier.checkBeforeCommit() }

    /// Runs a commit, which syncs the header of a WAL that restarts, and records a failure
    /// of that sync.
    func committing(_ commit: () throws -> Void) throws {
        do {
            try commit()
        } catch let error as StoreError where error.endsDurability {
            try barrier.recordingFailure { throw error }
        }
    }

    /// Records the state after a transaction.
    func transactionEnded() {
        dataVersion = currentDataVersion
        commitCount = index.commitCount
    }

    /// Clears the state after a failure, which SQLite may take for a change of another
    /// connection.
    func operationFailed() { dataVersion = nil }

    /// A number that changes with each commit of this connection, and when SQLite notices one
    /// of another.
    private var currentDataVersion: UInt32? {
        var version: UInt32 = 0
        // No name means the main database, which SQLite need not look up then
        // (sqlite.org/c3ref/file_control.html).
        let code = withUnsafeMutablePointer(to: &version) {
            sqlite3_file_control(handle, nil, SQLITE_FCNTL_DATA_VERSION, $0)
        }
        return code == SQLITE_OK ? version : nil
    }

    private func error(_ code: Int32, _ errors: ErrorTranslation) -> StoreError {
        errors.error(code, String(cString: sqlite3_errmsg(handle)))
    }
}
