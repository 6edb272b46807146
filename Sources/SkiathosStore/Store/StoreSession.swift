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
    /// Whether running statements check regularly whether the task on whose thread they run was cancelled,
    /// and then fail with the code `interrupted`.
    ///
    /// Set only while a closure has the session, and if ``StoreReader/supportsCancellationChecks`` is true. Defaults to
    /// `false`, whatever is set.
    var checksCancellation: Bool { get set }
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
    /// An empty list for the IDs of rows, which may be many.
    ///
    /// The list must not depend on the connection's transaction. A backend that can keeps a long one
    /// outside of memory. Defaults to a list in memory.
    func makeIDList() -> any StoreIDList
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
    public var checksCancellation: Bool {
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
