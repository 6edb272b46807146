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
    /// and the backend must not ask for that session.
    ///
    /// - Parameter overwriting: Whether the copy may replace an existing file.
    /// - Throws: ``StoreError`` with code `fileExists` if there is a file that must not be
    ///   replaced, or `invalidPath` if the path is that of the store itself.
    func beginBackup(to path: String, overwriting: Bool) throws -> any StoreBackup
    /// Closes every file and releases every lock.
    ///
    /// Called once, when no call is running.
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
    func interrupt()
}

/// The connection that writes.
public protocol StoreWriter: StoreReader {
    /// Runs a closure with exclusive use of the connection.
    ///
    /// An open transaction stays open between calls.
    func withSession(_ body: (any StoreWriteSession) throws -> Void) throws
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
    /// Runs a closure on one snapshot of the store, and returns its result.
    @inlinable
    public func read<R>(_ body: (any StoreSession) throws -> R) throws -> R {
        var result: R?
        try read { (session: any StoreSession) -> Void in result = try body(session) }
        guard let result else {
            preconditionFailure("\(Self.self).read returned without having run its closure.")
        }
        return result
    }
}

extension StoreWriter {
    /// Does nothing.
    public func willClose() {}

    /// Runs a closure with exclusive use of the connection, and returns its result.
    @inlinable
    public func withSession<R>(_ body: (any StoreWriteSession) throws -> R) throws -> R {
        var result: R?
        try withSession { (session: any StoreWriteSession) -> Void in result = try body(session) }
        guard let result else {
            preconditionFailure("\(Self.self).withSession returned without having run its closure.")
        }
        return result
    }
}

/// Whether the log of a store should be brought into its main file.
public enum CheckpointNeed: Sendable, Hashable, Comparable {
    /// The log is short, or there is none.
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
    /// The number of the committed version that the session sees, or on which its own changes are
    /// based; `nil` if it is not known.
    ///
    /// Two sessions with the same number see the same, and each commit makes another. Has a default
    /// that knows none.
    var committedVersion: UInt64? { get }
    /// Walks through the rows of a request, all columns in order.
    func fetch(_ request: FetchRequest, _ body: (inout RowCursor) throws -> Void) throws
    /// Walks through the row with an ID, if there is one, all columns in order.
    func fetch(entity: Int, id: StoreValue, _ body: (inout RowCursor) throws -> Void) throws
    /// Walks through the rows with any of these IDs, in no particular order.
    func fetch(entity: Int, ids: [StoreValue], _ body: (inout RowCursor) throws -> Void) throws
    /// Walks through what a request computes from rows: its results, in order.
    func fetch(_ request: ProjectionRequest, _ body: (inout RowCursor) throws -> Void) throws
    /// Walks through the results of several requests together, as ``UnionRequest`` says.
    func fetch(_ request: UnionRequest, _ body: (inout RowCursor) throws -> Void) throws
    /// Walks through the rows that a full-text search finds, as ``SearchRequest`` says.
    func search(_ request: SearchRequest, _ body: (inout RowCursor) throws -> Void) throws
    /// Counts the rows of a request, after its limit and offset.
    func count(_ request: FetchRequest) throws -> Int
    /// Whether the request has any row.
    func exists(_ request: FetchRequest) throws -> Bool
    /// What is wrong with the store, in sentences; empty if it is sound. Reads everything.
    func integrityProblems() throws -> [String]
    /// How the rows of a request would be fetched, without fetching them.
    func explain(_ request: FetchRequest) throws -> QueryExplanation
    /// Describes the statement of a request for results and how the backend carries it out.
    func explain(_ request: ProjectionRequest) throws -> QueryExplanation
    /// Has a meter hear of every query that the closure runs, in place of the one that is set, or
    /// none.
    func metering<R>(_ meter: (any QueryMeter)?, _ body: () throws -> R) throws -> R
    /// Lends the object by which the backend's own library knows the connection to a closure that
    /// only reads; `nil` if there is none.
    ///
    /// - Throws: what the closure throws, with the library's errors as ``StoreError``, or
    ///   ``StoreError`` with code `brokenBoundary` if the closure has ended the version that is
    ///   read, or changed anything. What it changed is undone.
    func readNatively(_ body: (AnyObject?) throws -> Void) throws
}

extension StoreWriteSession {
    /// Carries out the steps; after a failure nothing of them remains.
    public func applyUndoably(_ changes: [StoreChange]) throws { try apply(changes) }
    /// `false`.
    public var isLogLong: Bool { false }
}

extension StoreSession {
    /// `nil`.
    public var committedVersion: UInt64? { nil }
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
    /// Undoes the transaction. Does nothing if a failure has undone it already.
    func rollback() throws
    /// Opens a savepoint inside the transaction, one deeper for each call.
    func openSavepoint() throws
    /// Keeps what was done since the innermost savepoint, and closes it.
    func releaseSavepoint() throws
    /// Undoes what was done since the innermost savepoint, and closes it.
    func rollbackSavepoint() throws

    /// Carries out the steps in order. After a failure nothing of them remains.
    ///
    /// - Throws: ``StoreError`` with the entity and columns of a violated constraint. References
    ///   are not checked here but in ``checkReferences()``.
    func apply(_ changes: [StoreChange]) throws
    /// Carries out the steps for a caller who, if this throws, undoes all that lies between the
    /// innermost savepoint, or the beginning of the transaction, and now. So what a failure leaves
    /// behind does not matter. Has a default that calls ``apply(_:)``.
    func applyUndoably(_ changes: [StoreChange]) throws
    /// Changes all rows of a request and returns their number. Sort keys count only with a limit.
    func update(_ request: FetchRequest, _ assignments: [StoreAssignment]) throws -> Int
    /// Deletes all rows of a request and returns their number. Sort keys count only with a limit.
    func delete(_ request: FetchRequest) throws -> Int
    /// Deletes every row of every entity. IDs that were handed out stay so.
    func deleteEverything() throws
    /// Lends the object by which the backend's own library knows the connection to a closure that
    /// may change rows; `nil` if there is none. Called in a transaction.
    ///
    /// If this throws, nothing of the closure's changes remains.
    ///
    /// - Throws: what the closure throws, with the library's errors as ``StoreError``, or
    ///   ``StoreError`` with code `brokenBoundary` if the closure has ended the transaction or
    ///   changed the tables of the store. The transaction is undone then.
    func writeNatively(_ body: (AnyObject?) throws -> Void) throws -> NativeChanges
    /// Makes sure that every reference of the transaction leads to a row.
    ///
    /// - Throws: ``StoreError`` with code `foreignKeyViolation`, the entity and the columns.
    func checkReferences() throws
    /// Replaces every row of every entity by those of a backup. Called in a transaction.
    ///
    /// The backup is looked at first; one that is not sound, or not of these entities, is refused
    /// before anything changes. Limits of integer IDs stay as they are.
    ///
    /// - Parameter progress: Called again and again, with rows. What it throws ends the work.
    /// - Returns: The largest integer IDs that the backup knows to be handed out or stored, by the
    ///   position of the entity; 0 where IDs are not integers.
    func restore(from path: String, _ progress: (StoreProgress) throws -> Void) throws -> [Int64]
    /// The largest integer ID that was ever handed out or stored for an entity, or 0.
    func highestID(of entity: Int) throws -> Int64
    /// Whether ``checkpoint()`` should be called.
    var checkpointNeed: CheckpointNeed { get }
    /// Whether the log is long and has content that is not in the main file, so that a version
    /// which is held for long, such as that of a backup, should be preceded by a checkpoint: the log
    /// can start over then while the version is held. Has a default that is always `false`.
    var isLogLong: Bool { get }
    /// Brings what is committed from the log into the main file, as far as no read is in the way.
    ///
    /// Called outside of a transaction. A failure may mean that the disk holds less than was
    /// written, so nothing counts as durable after it; a full disk leaves the log as it was.
    func checkpoint() throws
}
