public import SkiathosStore

/// A fixed view of the store: all that was committed when the read began, and nothing later.
///
/// Valid only inside the closure of the `read` that made it, and never in another task: the
/// compiler refuses to let it out. It has no call that changes anything.
public final class ReadContext {
    /// The entities of the store.
    public let schema: StoreSchema

    // Guarded by the read: its closure runs on one thread at a time.
    private var session: (any StoreSession)?
    private let interruption: Interruption?
    private let stop: StopFlag
    /// Who counts the queries, if anybody does; guarded like the session.
    package internal(set) var meter: BudgetMeter?
    /// What was fetched together, for loading relationships; guarded like the session.
    let batches = FetchedBatches()

    /// Commits what lies open on the connection of this read, if others write with it.
    private let commitBatch: (() -> Void)?

    init(
        schema: StoreSchema, session: any StoreSession, interruption: Interruption?,
        stop: StopFlag, commitBatch: (() -> Void)?
    ) {
        self.schema = schema
        self.session = session
        self.interruption = interruption
        self.stop = stop
        self.commitBatch = commitBatch
    }

    /// Notes from now on which entities are read.
    func track(_ tracker: ReadTracker) {
        session = session.map { TrackingSession($0, schema, tracker) }
    }

    func end() {
        session = nil
        batches.removeAll()
    }
}

@available(*, unavailable, message: "a context stays in the closure that it was given to.")
extension ReadContext: Sendable {}

extension ReadContext: QueryContext {
    /// Runs a closure with the connection of this read.
    public func query<R>(_ body: (any StoreSession) throws -> R) throws -> R {
        guard let session else { throw DataAccessError.contextEnded("read") }
        try checkStop()
        guard let meter else { return try body(session) }
        return try session.metering(meter) { try body(session) }
    }
}

extension ReadContext {
    /// Throws once the read was cancelled, or its data access layer shut down.
    func checkStop() throws {
        try interruption?.check()
        try stop.check()
    }

    /// Lends the connection as the backend's own library knows it, or nothing if it has none.
    package func readNatively(_ body: (AnyObject?) throws -> Void) throws {
        guard let session else { throw DataAccessError.contextEnded("read") }
        try checkStop()
        // A closure that ends the transaction shall not end that of writes.
        commitBatch?()
        try session.readNatively(body)
    }
}
