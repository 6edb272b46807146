/// The boundary to a backend, which stores the rows of a ``StoreSchema``.
///
/// A backend returns rows for a request, applies one unit of work at a time, and reports
/// truthfully what it has stored. `StoreConformanceSuite` in `SkiathosTesting` checks the rest
/// of the contract; run it on every backend.
///
/// Calls block. The caller ensures that a reader serves one access at a time and that the
/// writer serves one unit of work at a time; a backend need not queue.
public protocol PersistentStore: AnyObject, Sendable {
    /// The entities.
    var schema: StoreSchema { get }
    /// The connections that read while a unit of work is running.
    ///
    /// Empty if the backend has one connection only: then reads use the writer, between units
    /// of work.
    var readers: [any StoreReader] { get }
    /// The only connection that changes anything.
    var writer: any StoreWriter { get }
    /// Whether the store was opened for reading only.
    var isReadOnly: Bool { get }
    /// Begins a copy of the committed data, at a path or another target of the backend.
    ///
    /// Called while other calls read and write; if ``readers`` is empty, when no call is
    /// running. Otherwise the caller may be inside of
    /// ``StoreWriter/withSession(_:)-swift.method``, so that nothing is committed meanwhile,
    /// and the backend must not request that session.
    ///
    /// - Parameters:
    ///   - path: The place of the copy.
    ///   - overwriting: Whether the copy may replace an existing file.
    /// - Throws: ``StoreError`` with code `fileExists` if there is a file that must not be
    ///   replaced, or `invalidPath` if the path is that of the store itself.
    func beginBackup(to path: String, overwriting: Bool) throws -> any StoreBackup
    /// Watches for the commits of other processes.
    ///
    /// Called only if the store was opened for reading only, and before it is closed. Several watches
    /// may run at once. Defaults to `nil`.
    ///
    /// - Parameters:
    ///   - interval: How often to look, where the backend has to, and to report; from 1 ms.
    ///   - report: Called from any thread: after commits of other processes, once for several, when
    ///     every later read sees them. It must not call the watch when it gets
    ///     ``CommitWatchEvent/committed``.
    /// - Returns: The watch, which ends when it is released, or `nil` if the backend does not see the
    ///   commits of other processes.
    func watchCommits(
        every interval: Duration, _ report: @escaping @Sendable (CommitWatchEvent) -> Void
    ) -> (any CommitWatch)?
    /// Closes every file and releases every lock.
    ///
    /// Called once, when no call is running and every ``CommitWatch`` was ended.
    func close() throws
}

/// A connection that reads.
public protocol StoreReader: AnyObject, Sendable {
    /// Runs a closure on one snapshot of the store.
    ///
    /// It contains everything that was committed before the call, and nothing that is
    /// committed after the closure's first statement.
    func read(_ body: (any StoreSession) throws -> Void) throws
    /// Makes the running statement fail with the code `interrupted`. From any thread.
    ///
    /// An access that begins after the call has returned is not interrupted by it.
    func interrupt()
    /// Whether ``StoreSession/followsTask`` has an effect on reads.
    ///
    /// If so, reads of tasks set it, and their cancellation needs no handler that calls ``interrupt()``,
    /// which costs as much as finding several rows. Defaults to `false`.
    var canFollowTasks: Bool { get }
    /// Reserves the connection for one read, which begins now.
    ///
    /// That read needs the connection only when it runs a statement, with
    /// ``readReserved(_:)-swift.method``, and often not at all. Until
    /// ``endReservation(discarding:)`` all its statements see one version, also those after later
    /// commits. Called from any thread, when no read uses the connection. Defaults to `nil`.
    ///
    /// - Returns: The version, which contains everything that was committed before the call; `nil` if the
    ///   connection cannot be reserved.
    func reserve() -> ReadReservation?
    /// Runs a closure on the version of the read that has reserved the connection. Defaults to
    /// ``read(_:)-swift.method``.
    func readReserved(_ body: (any StoreSession) throws -> Void) throws
    /// Runs a closure on a snapshot of an earlier version that the connection still has, for the read
    /// that has reserved it without a snapshot, and has run no statement yet. Defaults to doing nothing.
    ///
    /// Cheaper than ``readReserved(_:)-swift.method`` after a commit, for a read that can tell what has
    /// changed since.
    ///
    /// - Parameter body: Gets the number of the version; not called if there is no such snapshot.
    func readEarlier(
        _ body: (_ session: any StoreSession, _ version: UInt64) throws -> Void) throws
    /// Ends the reservation. Defaults to doing nothing.
    ///
    /// - Parameter discarding: Whether a closure on it has failed, so that the connection must not
    ///   keep the snapshot.
    func endReservation(discarding: Bool)
}

/// The connection that writes.
public protocol StoreWriter: StoreReader {
    /// Runs a closure with exclusive use of the connection.
    ///
    /// An open transaction stays open between calls.
    func withSession(_ body: (any StoreWriteSession) throws -> Void) throws
    /// Begins, without waiting, what ``sync()`` waits for, which is called soon.
    ///
    /// Called after a commit, while the session is in use. Defaults to doing nothing.
    func prepareSync()
    /// Syncs, so that everything committed before the call survives a loss of power.
    ///
    /// From any thread, also while a session is in use, which does not wait for it.
    func sync() throws
    /// Called when every write has ended and the store is about to be closed.
    ///
    /// The remaining work is optional maintenance, so it must not wait long for a lock of
    /// another program. A backend that never waits for locks need not implement this.
    func willClose()
}

// The requirements have closures without a result, so that no value passes through code that does not
// know its type: copying it there costs more than the rest of a small access.
extension StoreReader {
    /// `false`: statements do not ask.
    public var canFollowTasks: Bool { false }
    /// `nil`: the connection cannot be reserved.
    public func reserve() -> ReadReservation? { nil }
    /// Runs a closure on a snapshot.
    public func readReserved(_ body: (any StoreSession) throws -> Void) throws { try read(body) }
    /// Does nothing: the connection has no snapshots of earlier versions.
    public func readEarlier(
        _ body: (_ session: any StoreSession, _ version: UInt64) throws -> Void
    ) throws {}
    /// Does nothing.
    public func endReservation(discarding: Bool) {}

    /// Runs a closure on the version of the read that has reserved the connection, and returns its result.
    @inlinable
    public func readReserved<R>(_ body: (any StoreSession) throws -> R) throws -> R {
        try withResultSlot { slot in
            try readReserved { (session: any StoreSession) -> Void in
                try slot.fill { try body(session) }
            }
        }
    }

    /// Runs a closure on one snapshot of the store, and returns its result.
    @inlinable
    public func read<R>(_ body: (any StoreSession) throws -> R) throws -> R {
        try withResultSlot { slot in
            try read { (session: any StoreSession) -> Void in
                try slot.fill { try body(session) }
            }
        }
    }
}

extension StoreWriter {
    /// Does nothing.
    public func willClose() {}
    /// Does nothing.
    public func prepareSync() {}

    /// Runs a closure with exclusive use of the connection, and returns its result.
    @inlinable
    public func withSession<R>(_ body: (any StoreWriteSession) throws -> R) throws -> R {
        try withResultSlot { slot in
            try withSession { (session: any StoreWriteSession) -> Void in
                try slot.fill { try body(session) }
            }
        }
    }
}

/// Whether the WAL of a store should be checkpointed.
public enum CheckpointNeed: Sendable, Hashable, Comparable {
    /// The WAL is short, or there is none.
    case none
    /// It has grown so long that a checkpoint should follow when there is time.
    case due
    /// It has grown so long that a checkpoint must not wait any longer.
    case overdue
}

/// Reads through one connection.
///
/// Valid only inside the closure that it was given to.
public protocol StoreSession: AnyObject {
    /// The number of the committed version that the session sees, or that its own changes are
    /// based on.
    ///
    /// It is `nil` if it is not known.
    ///
    /// Two sessions with the same number see the same version. The number is even, and each commit adds
    /// two or more. Defaults to `nil`.
    var committedVersion: UInt64? { get }
    /// Whether running statements ask from time to time, every few microseconds, whether the task on whose
    /// thread they run was cancelled, and then fail with the code `interrupted`.
    ///
    /// Set only while a closure has the session, and if ``StoreReader/canFollowTasks`` is true. Defaults to
    /// `false`, whatever is set.
    var followsTask: Bool { get set }
    /// Passes the rows of a request to a closure, all columns in order.
    func fetch(_ request: FetchRequest, _ body: (inout RowCursor) throws -> Void) throws
    /// Passes the row with an ID to a closure, if there is one, all columns in order.
    func fetch(entity: Int, id: StoreValue, _ body: (inout RowCursor) throws -> Void) throws
    /// Passes the rows with any of these IDs to a closure, in no particular order.
    func fetch(entity: Int, ids: [StoreValue], _ body: (inout RowCursor) throws -> Void) throws
    /// Passes the results that a request computes from rows to a closure, in order.
    func fetch(_ request: ProjectionRequest, _ body: (inout RowCursor) throws -> Void) throws
    /// Passes the results of a ``UnionRequest`` to a closure.
    func fetch(_ request: UnionRequest, _ body: (inout RowCursor) throws -> Void) throws
    /// Passes the rows of a full-text search to a closure; see ``SearchRequest``.
    func search(_ request: SearchRequest, _ body: (inout RowCursor) throws -> Void) throws
    /// Counts the rows of a request, after its limit and offset.
    func count(_ request: FetchRequest) throws -> Int
    /// Whether the request has any row.
    func exists(_ request: FetchRequest) throws -> Bool
    /// Messages about the problems of the store; empty if it is sound.
    ///
    /// Reads everything.
    func integrityProblems() throws -> [String]
    /// The query plan of a request, without fetching its rows.
    func explain(_ request: FetchRequest) throws -> QueryExplanation
    /// The query plan of a request for results.
    func explain(_ request: ProjectionRequest) throws -> QueryExplanation
    /// Runs a closure with `meter`, or no meter, observing its queries.
    ///
    /// It replaces the current meter, which is restored afterwards.
    func metering<R>(_ meter: (any QueryMeter)?, _ body: () throws -> R) throws -> R
    /// Passes the connection object of the backend's library to a closure that only reads;
    /// `nil` if there is none.
    ///
    /// - Throws: what the closure throws, with the library's errors as ``StoreError``, or
    ///   ``StoreError`` with code `brokenBoundary` if the closure has ended the snapshot, or
    ///   changed anything. Its changes are rolled back.
    func readNatively(_ body: (AnyObject?) throws -> Void) throws
    /// Removes and returns the statements that the connection has recorded since the last call.
    ///
    /// Called at the end of each use of the connection if ``StoreOptions/statements`` is set.
    /// The statements by which a backend takes and releases snapshots, and those by which it
    /// makes plans, are not recorded. Defaults to none.
    func takeStatements() -> RecordedStatements
}

extension StoreWriteSession {
    /// Applies the steps; after a failure all of them are rolled back.
    public func apply(_ changes: [StoreChange], onFailure recovery: FailureRecovery) throws {
        try apply(changes)
    }
    /// Applies the insertion as a list of one step.
    public func insert(
        _ rows: any RowSource, count: Int, into entity: Int, onFailure recovery: FailureRecovery
    ) throws {
        try apply([.insert(entity: entity, rows)], onFailure: recovery)
    }
    /// ``LoneInsertion/notOffered``.
    public func insertAlone(_ row: any RowSource, into entity: Int) throws -> LoneInsertion {
        .notOffered
    }
    /// `false`.
    public var isWALLong: Bool { false }
}

extension StoreSession {
    /// `nil`.
    public var committedVersion: UInt64? { nil }
    /// `false`, whatever is set.
    public var followsTask: Bool {
        get { false }
        set {}
    }
    /// None: the backend records no statements.
    public func takeStatements() -> RecordedStatements { RecordedStatements() }
}

/// The side that rolls back the changes of a failed ``StoreWriteSession/apply(_:onFailure:)``.
public enum FailureRecovery: Sendable, Hashable {
    /// The session: nothing has changed after a failure.
    case sessionRollsBack
    /// The caller: a failure may leave partial changes, and the caller then rolls back to the
    /// innermost savepoint, or the beginning of the transaction.
    case callerRollsBack
}

/// Writes through the writer's connection.
///
/// Valid only inside the closure that it was given to.
public protocol StoreWriteSession: StoreSession {
    /// Whether a transaction is open. Some failures, such as a full disk, end it.
    var isInTransaction: Bool { get }
    /// Opens the transaction.
    func begin() throws
    /// Commits the transaction; readers see it from here on, and a killed process keeps it.
    func commit() throws
    /// Rolls the transaction back.
    ///
    /// Has no effect if a failure has already rolled it back.
    func rollback() throws
    /// Opens a savepoint inside the transaction, one deeper for each call.
    func openSavepoint() throws
    /// Releases the innermost savepoint, and keeps its changes.
    func releaseSavepoint() throws
    /// Rolls back to the innermost savepoint, and closes it.
    func rollbackSavepoint() throws

    /// Applies the steps in order.
    ///
    /// After a failure all of them are rolled back.
    ///
    /// - Throws: ``StoreError`` with the entity and columns of a violated constraint. References
    ///   are not checked here but in ``checkReferences()``.
    func apply(_ changes: [StoreChange]) throws
    /// Applies the steps in order, as ``apply(_:)`` does.
    ///
    /// Defaults to ``apply(_:)``, which rolls back every failure itself.
    ///
    /// - Parameters:
    ///   - changes: The steps.
    ///   - recovery: Whether a failure may leave partial changes.
    func apply(_ changes: [StoreChange], onFailure recovery: FailureRecovery) throws
    /// Applies a single step: adds rows, all columns of the entity, in order.
    ///
    /// It is what most small writes consist of, and a list of steps would be a part of their work
    /// that can be measured. Defaults to ``apply(_:onFailure:)``.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - count: How many there are.
    ///   - entity: The position of the entity.
    ///   - recovery: Whether a failure may leave partial changes.
    func insert(
        _ rows: any RowSource, count: Int, into entity: Int, onFailure recovery: FailureRecovery
    ) throws
    /// Adds one row, all columns of the entity, and checks its references; undoes the row if it is
    /// refused, without a savepoint around it.
    ///
    /// It is what most small writes do that join a transaction, where a savepoint would be a fifth of
    /// their work. Called in a transaction in which every reference leads to a row. Defaults to
    /// ``LoneInsertion/notOffered``.
    ///
    /// - Throws: a failure that may have left a part of the row, or has ended the transaction. The
    ///   caller rolls the transaction back.
    func insertAlone(_ row: any RowSource, into entity: Int) throws -> LoneInsertion
    /// Changes all rows of a request and returns their number. Sort keys count only with a limit.
    func update(_ request: FetchRequest, _ assignments: [StoreAssignment]) throws -> Int
    /// Deletes all rows of a request and returns their number. Sort keys count only with a limit.
    func delete(_ request: FetchRequest) throws -> Int
    /// Deletes every row of every entity.
    ///
    /// Allocated IDs are not reused.
    func deleteEverything() throws
    /// Passes the connection object of the backend's library to a closure that may change
    /// rows; `nil` if there is none.
    ///
    /// Called in a transaction.
    ///
    /// If this throws, the closure's changes are rolled back.
    ///
    /// - Throws: what the closure throws, with the library's errors as ``StoreError``, or
    ///   ``StoreError`` with code `brokenBoundary` if the closure has ended the transaction or
    ///   changed the tables of the store. The transaction is then rolled back.
    func writeNatively(_ body: (AnyObject?) throws -> Void) throws -> NativeChanges
    /// Runs a closure, and records each row of some entities that its statements change.
    ///
    /// Called in a transaction. It does not matter how a row is changed: by the steps of
    /// ``apply(_:)``, by ``update(_:_:)`` and ``delete(_:)``, by a rule for deleted targets, by a
    /// trigger, or by ``writeNatively(_:)``. Changes by other programs are not seen, and neither are
    /// tables other than those of the entities. A call inside of the closure makes a record of its
    /// own, and both records have its changes. Defaults to running the closure and returning `nil`.
    ///
    /// - Parameters:
    ///   - entities: The positions of the entities.
    ///   - limit: How much the record may hold. Beyond it, each entity with a changed row is
    ///     incomplete, and no more changes are kept.
    ///   - body: The closure. If it throws, there is no record.
    /// - Returns: The record, or `nil` if the backend cannot make one.
    func recordingChanges(
        of entities: Set<Int>, limit: RecordingLimit, _ body: () throws -> Void
    ) throws -> RecordedRowChanges?
    /// Throws unless every reference of the transaction leads to a row.
    ///
    /// - Throws: ``StoreError`` with code `foreignKeyViolation`, the entity and the columns.
    func checkReferences() throws
    /// Replaces every row of every entity by those of a backup. Called in a transaction.
    ///
    /// The backup is checked first; one that is damaged, or not of these entities, is refused
    /// before anything changes. Limits of integer IDs stay as they are.
    ///
    /// - Parameters:
    ///   - path: The place of the backup.
    ///   - progress: Called repeatedly, with numbers of rows. An error of it ends the work.
    /// - Returns: The largest integer IDs allocated or stored in the backup, by the position
    ///   of the entity; 0 where IDs are not integers.
    func restore(from path: String, _ progress: (StoreProgress) throws -> Void) throws -> [Int64]
    /// The largest integer ID that was ever allocated or stored for an entity, or 0.
    func highestID(of entity: Int) throws -> Int64
    /// Whether ``checkpoint()`` should be called.
    var checkpointNeed: CheckpointNeed { get }
    /// Whether the WAL is long and not completely checkpointed.
    ///
    /// A snapshot that is held for long, such as that of a backup, should then be preceded by
    /// a checkpoint, so that the WAL can restart while the snapshot is held. Defaults to
    /// `false`.
    var isWALLong: Bool { get }
    /// Checkpoints the WAL, as far as no read prevents it.
    ///
    /// Called outside of a transaction. A failure may mean that the disk holds less than was
    /// written, so nothing counts as durable after it; a full disk does not change the WAL.
    func checkpoint() throws
}
