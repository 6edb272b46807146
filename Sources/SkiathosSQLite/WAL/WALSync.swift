import GRDBSQLite
import SkiathosLocks
import SkiathosStore
import Synchronization

/// Syncs the WAL without the writing connection, and fails once the disk may hold less than
/// SQLite assumes.
///
/// The sync goes through SQLite's own object of the file, so that it also syncs the directory
/// the first time, and so that tests can put a file system of their own underneath. The
/// connection may write to the file meanwhile: everything that it committed before the call is
/// covered, since the operating system has it by then.
final class WALSync: Sendable {
    private struct State: @unchecked Sendable {
        // Sendable: the witness is used by the thread that holds the lock of the state.

        /// Whether the connection is about to close the file.
        var isClosed = false
        /// Whether the names of the files are known to survive the loss of power.
        var isDirectorySynced = false
        /// The witness of the WAL's length; nil if the disk has no room for it.
        var witness: CommitWitness?
    }

    private let file: WALFile
    private let watch: FileWatch
    /// The directory of the store.
    private let directory: String
    /// Writes the WAL out early; nil where the system cannot.
    private let writeback: WALWriteback?
    /// Held during a sync.
    private let state: Lock<State>
    /// Notified of interference with files when no caller waits.
    private let observer: (any StoreObserver)?
    /// The first failure after which the disk may hold less than SQLite assumes.
    private let firstFailure = Lock<StoreError?>(nil)
    /// Whether there is one, for commits, each of which checks it.
    private let hasFailed = Atomic(false)

    init(
        _ file: WALFile, _ watch: FileWatch, _ writeback: WALWriteback?, _ witness: CommitWitness?,
        _ directory: String, _ observer: (any StoreObserver)?
    ) {
        self.file = file
        self.watch = watch
        self.directory = directory
        self.writeback = writeback
        self.observer = observer
        state = Lock(State(witness: witness))
    }

    /// The failure after which the WAL must be neither checkpointed nor removed.
    var failure: StoreError? { firstFailure.withLock { $0 } }

    /// Records how long the WAL is after a commit, and its salts.
    func walHasSize(_ bytes: Int64, _ salts: WALSalts) { watch.walHasSize(bytes, salts) }

    /// Runs a checkpoint, unless the WAL may not be on the disk.
    ///
    /// In that case the main file must not be changed from the WAL, and a sync that fails
    /// meanwhile could go unnoticed.
    ///
    /// - Parameter checkpoint: Runs it, and returns whether the main file has the whole WAL,
    ///   so that the next commit may restart it.
    func checkpointing(_ checkpoint: () throws -> Bool) throws -> Bool {
        // Recorded before another thread acquires the lock: the next sync would succeed
        // without writing what this one has lost.
        try state.withLock { state in
            try recordingFailure {
                if let failure { throw failure }
                let last = try watch.check(isThorough: true)
                let result = Result { try checkpoint() }
                let isWhole = (try? result.get()) == true
                // Also if it has failed: pages may have been copied.
                watch.mainWasWritten(isWhole: isWhole)
                _ = try result.get()
                guard isWhole else { return false }
                // Also if what follows fails.
                watch.walMayRestart()
                // Before the next commit, which may restart the WAL.
                if let last {
                    try claim(last, isCheckpointed: true, state)
                } else {
                    try markCheckpointed(state)
                }
                return true
            }
        }
    }

    /// Clears the claim of the witness, before other programs or the user decide about the
    /// WAL.
    func forgetClaim() throws {
        try state.withLock { state in
            try recordingFailure { try Self.forgetClaim(state) }
        }
    }

    private static func forgetClaim(_ state: State) throws {
        do { try state.witness?.forget() } catch { throw WALFile.failure(error.code) }
    }

    private func markCheckpointed(_ state: State) throws {
        do { try state.witness?.markCheckpointed(watch.base) } catch {
            throw WALFile.failure(error.code)
        }
    }

    /// Sets the witness's claim that the WAL reaches a frame.
    private func claim(_ last: FileWatch.Mark, isCheckpointed: Bool, _ state: State) throws {
        guard let witness = state.witness else { return }
        var claim = withUnsafeBytes(of: last.header) {
            WALWalk.claim(ofFrameHeader: $0, frameCount: watch.frameCount(upTo: last.offset))
        }
        claim.isCheckpointed = isCheckpointed
        claim.base = watch.base
        do { try witness.make(claim) } catch { throw WALFile.failure(error.code) }
    }

    /// Begins to write earlier commits to the disk, for a call of ``sync()`` that follows soon, whose checks run
    /// meanwhile.
    ///
    /// Called by the thread that has the connection.
    func prepare() { writeback?.begin() }

    /// Makes all earlier commits durable.
    ///
    /// After a failure of the disk, also one during a checkpoint, it throws that failure.
    func sync() throws {
        try state.withLock { state in
            try recordingFailure {
                if let failure { throw failure }
                // A connection that was closed has synced everything.
                guard !state.isClosed else { return }
                let last = try watch.check(isThorough: true)
                try file.sync()
                try syncDirectory(&state)
                // Again: another program may have taken the files away meanwhile.
                _ = try watch.check(isThorough: false)
                if let last { try claim(last, isCheckpointed: false, state) }
            }
        }
    }

    /// Syncs the directory of the files, once.
    ///
    /// SQLite does so at the first sync of a WAL that it has made, and ignores a failure.
    private func syncDirectory(_ state: inout State) throws {
        guard !state.isDirectorySynced else { return }
        do { try SystemCalls.syncDirectory(directory) } catch {
            var failure = error.error("The directory \"\(directory)\" could not be synced")
            failure.endsDurability = true
            throw failure
        }
        state.isDirectorySynced = true
    }

    /// The first commit since the store was opened has written to the WAL.
    func walBegan(_ salts: WALSalts) {
        guard let base = watch.base else { return }
        state.withLock { state in
            // Without it, less is known of the WAL.
            try? state.witness?.begin(salts, base)
        }
    }

    /// The WAL was restarted after a checkpoint of another program.
    func walRestartedElsewhere() { watch.forgetBase() }

    /// Checks the files before a commit, if the last check was some time ago.
    ///
    /// So only commits since then can be lost by interference of another program.
    ///
    /// Called by the thread that has the connection.
    ///
    /// - Throws: ``StoreError`` with code `interference`.
    func checkBeforeCommit() throws {
        if hasFailed.load(ordering: .acquiring), let failure, failure.code == .interference {
            throw failure
        }
        let (isDue, mustSchedule) = watch.recordCommit()
        if mustSchedule { watch.schedule { [weak self] in self?.checkWithoutCommit() } }
        if isDue { try check(isThorough: false) }
    }

    private func checkWithoutCommit() {
        do {
            try state.withLock { state in
                guard !state.isClosed, failure == nil else { return }
                try check(isThorough: true)
            }
        } catch let error as StoreError where error.endsDurability {
            observer?.filesFailed(error)
        } catch {
            // The system could not check. The next commit or sync does, and reports a failure
            // to its caller.
        }
    }

    /// Checks the files, and records interference.
    ///
    /// A check that fails says nothing about the contents of the disk.
    private func check(isThorough: Bool) throws {
        do {
            _ = try watch.check(isThorough: isThorough)
        } catch let error as StoreError where error.endsDurability {
            try recordingFailure { throw error }
        }
    }

    /// Rewrites the WAL of an earlier process and syncs it.
    ///
    /// After a failed sync the system treats pages as written that never reached the disk, so
    /// that a later sync skips them, also in another process. So a process that finds a WAL
    /// rewrites it before it relies on it.
    func rewrite() throws {
        try state.withLock { _ in
            try file.rewrite()
            try file.sync()
        }
    }

    /// Ends the use of the file by other threads, after a running sync.
    ///
    /// Called before the connection is closed.
    func close() {
        state.withLock { $0.isClosed = true }
        writeback?.close()
    }

    /// Removes the witness of a closed store whose WAL is checkpointed.
    func removeWitness() {
        state.withLock { state in
            state.witness?.remove()
            state.witness = nil
        }
    }

    /// Closes the witness and leaves its file, which the next opening reads.
    ///
    /// Called after ``close()``: no thread uses the witness any more.
    func closeWitness() { state.withLock { $0.witness = nil } }

    /// Runs a file operation and records its failure, if it casts doubt on the contents of the
    /// disk.
    ///
    /// A full disk or a busy file leaves the WAL as it was.
    func recordingFailure<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as StoreError where error.isStorageFailure {
            firstFailure.withLock { if $0 == nil { $0 = error } }
            hasFailed.store(true, ordering: .releasing)
            throw error
        }
    }
}
