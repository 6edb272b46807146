import GRDBSQLite
import Locks
import SkiathosStore
import Synchronization

/// Makes the WAL safe on the disk, without the connection that writes it, and refuses to go on once
/// the disk may hold less than SQLite believes.
///
/// The sync goes through SQLite's own object of the file, so that it also syncs the directory the
/// first time, and so that tests can put a file system of their own underneath. The connection may
/// write to the file meanwhile: whatever it has committed before the call is covered, since it was
/// handed to the operating system by then.
final class LogBarrier: Sendable {
    private struct State: @unchecked Sendable {
        // Sendable: the witness is used by the thread that holds the lock of the state.

        /// Whether the connection is about to close the file.
        var isClosed = false
        /// What says how far the WAL goes, unless the disk has no room for it.
        var witness: CommitWitness?
    }

    private let file: LogFile
    private let watch: FileWatch
    /// Held during a sync.
    private let state: Lock<State>
    /// Hears of files that were touched, when no caller waits.
    private let observer: (any StoreObserver)?
    /// The first failure after which the disk may hold less than SQLite believes.
    private let firstFailure = Lock<StoreError?>(nil)
    /// Whether there is one, for commits, each of which looks.
    private let hasFailed = Atomic(false)

    init(
        _ file: LogFile, _ watch: FileWatch, _ witness: CommitWitness?,
        _ observer: (any StoreObserver)?
    ) {
        self.file = file
        self.watch = watch
        self.observer = observer
        state = Lock(State(witness: witness))
    }

    /// The failure after which the main file must not be changed on the strength of the WAL, and
    /// the WAL not be removed.
    var failure: StoreError? { firstFailure.withLock { $0 } }

    /// Records how long the WAL is after a commit.
    func logHasSize(_ bytes: Int64) { watch.logHasSize(bytes) }

    /// Runs a checkpoint, unless the WAL may not be on the disk: the main file must not be changed
    /// on its strength then, and a sync that fails meanwhile could go unnoticed.
    ///
    /// - Parameter checkpoint: Makes it, and tells whether the main file has the whole WAL by now, so
    ///   that the next commit may start it over.
    func checkpointing(_ checkpoint: () throws -> Bool) throws -> Bool {
        // Recorded before any other thread gets in: the next sync would succeed without having
        // written what this one has lost.
        try state.withLock { state in
            try noting {
                if let failure { throw failure }
                let last = try watch.look(isThorough: true)
                let isWhole = try checkpoint()
                guard isWhole else { return false }
                // Also if what follows fails.
                watch.logMayStartOver()
                // Before the next commit, which may start the WAL over.
                if let last {
                    try claim(last, isCheckpointed: true, state)
                } else {
                    try Self.markCheckpointed(state)
                }
                return true
            }
        }
    }

    /// Has the witness claim nothing about the WAL any more, before other programs or the user decide
    /// what becomes of it.
    func forgetClaim() throws {
        try state.withLock { state in
            try noting { try Self.forgetClaim(state) }
        }
    }

    private static func forgetClaim(_ state: State) throws {
        do { try state.witness?.forget() } catch { throw LogFile.failure(error.code) }
    }

    private static func markCheckpointed(_ state: State) throws {
        do { try state.witness?.markCheckpointed() } catch { throw LogFile.failure(error.code) }
    }

    /// Has the witness say that the WAL goes as far as a frame.
    private func claim(_ last: FileWatch.Mark, isCheckpointed: Bool, _ state: State) throws {
        guard let witness = state.witness else { return }
        var claim = withUnsafeBytes(of: last.header) {
            WALWalk.claim(ofFrameHeader: $0, frameCount: watch.frameCount(upTo: last.offset))
        }
        claim.isCheckpointed = isCheckpointed
        do { try witness.make(claim) } catch { throw LogFile.failure(error.code) }
    }

    /// Makes everything that was committed before the call survive the loss of power.
    ///
    /// After a failure of the disk, one that a checkpoint met included, it throws that.
    func sync() throws {
        try state.withLock { state in
            try noting {
                if let failure { throw failure }
                // A connection that was closed has synced everything.
                guard !state.isClosed else { return }
                let last = try watch.look(isThorough: true)
                try file.sync()
                if let last { try claim(last, isCheckpointed: false, state) }
            }
        }
    }

    /// Looks at the files before a commit, if the last look was some time ago, so that only commits
    /// of that time can be lost to another program.
    ///
    /// Called by the thread that has the connection.
    ///
    /// - Throws: ``StoreError`` with code `interference`.
    func lookBeforeCommit() throws {
        if hasFailed.load(ordering: .acquiring), let failure, failure.code == .interference {
            throw failure
        }
        let isDue = watch.isDue { [weak self] in self?.lookWithoutCommit() }
        if isDue { try look(isThorough: false) }
    }

    private func lookWithoutCommit() {
        do {
            try state.withLock { state in
                guard !state.isClosed, failure == nil else { return }
                try look(isThorough: true)
            }
        } catch let error as StoreError where error.endsDurability {
            observer?.filesFailed(error)
        } catch {
            // The system could not look. The next commit or sync does, and tells its caller.
        }
    }

    /// Looks at the files, and remembers that they were touched.
    ///
    /// A look that fails says nothing about what the disk holds.
    private func look(isThorough: Bool) throws {
        do {
            _ = try watch.look(isThorough: isThorough)
        } catch let error as StoreError where error.endsDurability {
            try noting { throw error }
        }
    }

    /// Writes the WAL of an earlier process once more and syncs it.
    ///
    /// After a failed sync the system counts as written what never reached the disk, so that a
    /// later sync passes over it, also one of another process. A process that finds a WAL makes sure
    /// of it like this before it relies on it.
    func rewrite() throws {
        try state.withLock { _ in
            try file.rewrite()
            try file.sync()
        }
    }

    /// Lets no other thread use the file any more, when no sync is under way.
    ///
    /// Called before the connection is closed.
    func close() { state.withLock { $0.isClosed = true } }

    /// Removes the witness of a store that was closed, and whose WAL the main file has.
    func removeWitness() {
        state.withLock { state in
            state.witness?.remove()
            state.witness = nil
        }
    }

    /// Runs a file operation and remembers its failure, if it casts doubt on what the disk holds.
    ///
    /// A full disk or a busy file leaves the WAL as it was.
    func noting<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as StoreError where error.isAboutTheDisk {
            firstFailure.withLock { if $0 == nil { $0 = error } }
            hasFailed.store(true, ordering: .releasing)
            throw error
        }
    }
}
