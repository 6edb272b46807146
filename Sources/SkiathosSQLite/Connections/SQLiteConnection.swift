import GRDB
import SkiathosLocks
import SkiathosStore
import Synchronization

/// One connection to the database, with its session and lock.
final class SQLiteConnection: @unchecked Sendable {
    // Sendable: only the holder of `exclusiveUse` uses the session and its statements: in `access`,
    // `accessIfFree` and `close`. `isOpen` is guarded by its lock. All else is
    // `Sendable` and never replaced.

    private let queue: DatabaseQueue
    private let session: SQLiteSession
    private let patience: BusyPatience?
    /// Records since when the session has its kept snapshot.
    let pin: SnapshotPin
    /// Held during each use of the connection.
    private let exclusiveUse = Lock(())
    /// Whether the connection may be interrupted and used.
    ///
    /// The lock prevents an interruption of a connection that is being closed.
    private let isOpen = Lock(true)

    /// Whether there was an interruption since the last access began.
    private let wasInterrupted = Atomic(false)

    /// Makes the session of a connection that was just opened.
    init(
        _ queue: DatabaseQueue, shared: StoreSQL, isReadOnly: Bool,
        version: CommitCounter? = nil, spareOf owner: SnapshotPin? = nil,
        readSchema: ReadSchema? = nil, recording: StatementRecording? = nil,
        wal: ((OpaquePointer) throws -> WriteAheadLog)? = nil
    ) throws {
        self.queue = queue
        session = try SQLiteSession(
            queue, shared: shared, isReadOnly: isReadOnly, version: version, spareOf: owner,
            readSchema: readSchema, recording: recording, wal: wal)
        pin = session.pin
        patience = session.patience
    }

    /// Runs a closure with exclusive use of the connection.
    ///
    /// The cancellation of a task has no effect on it.
    @inline(__always)
    func access(_ body: (SQLiteSession) throws -> Void) throws {
        try exclusiveUse.withLock { _ in try use(body) }
    }

    /// Runs a closure with exclusive use of the connection, unless it is in use; returns
    /// whether it ran.
    func accessIfFree(_ body: (SQLiteSession) throws -> Void) throws -> Bool {
        try exclusiveUse.withLockIfAvailable { _ in try use(body) } != nil
    }

    /// Runs a closure with exclusive use of the connection, and returns its result.
    func access<R>(_ body: (SQLiteSession) throws -> R) throws -> R {
        try withResultSlot { slot in
            try access { (session: SQLiteSession) -> Void in try slot.fill { try body(session) } }
        }
    }

    @inline(__always)
    private func use(_ body: (SQLiteSession) throws -> Void) throws {
        guard !session.isClosed else { throw Self.closed() }
        // Mostly there was none, and exchanging takes longer.
        if wasInterrupted.load(ordering: .relaxed),
            wasInterrupted.exchange(false, ordering: .sequentiallyConsistent)
        {
            session.endOpenStatements()
        }
        try body(session)
    }

    /// Makes the running statement fail, and ends its wait for a lock of another program.
    ///
    /// From any thread, at any time.
    func interrupt() {
        isOpen.withLock { isOpen in
            guard isOpen else { return }
            patience?.interrupt()
            queue.interrupt()
            // After SQLite was told: an access that has seen this before would leave its own statements
            // open, and so the interruption to the next one.
            wasInterrupted.store(true, ordering: .sequentiallyConsistent)
        }
    }

    /// Makes waits for locks of other programs brief from now on.
    func willClose() { patience?.shorten() }

    /// Closes the connection.
    ///
    /// Calling it again has no effect.
    func close() throws {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        guard wasOpen else { return }
        exclusiveUse.withLock { _ in session.close() }
        do {
            try queue.close()
        } catch {
            throw session.shared.errors.error(error)
        }
    }

    static func closed() -> StoreError {
        StoreError(.backend, "The store was closed. Open it again to use it.")
    }
}
