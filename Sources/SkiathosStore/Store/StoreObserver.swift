/// An observer of a backend's maintenance: events that no caller awaits, but that operators
/// need.
///
/// It is passed in ``StoreOptions``. A backend without a WAL never calls it. The calls come
/// while the writer's connection is in use, so they must be short and must not call the store.
public protocol StoreObserver: AnyObject, Sendable {
    /// Called when a commit has changed the size of the WAL.
    ///
    /// These are the bytes committed since the WAL last restarted.
    func walGrew(size: Int)
    /// Called when the WAL was checkpointed, as far as reads allow.
    func checkpointMade(_ checkpoint: StoreCheckpoint)
    /// Called when interference with the files was found, and no call waits that could throw
    /// it.
    ///
    /// Called once, on a thread of the backend.
    func filesFailed(_ error: StoreError)
}

/// The report of a checkpoint.
public struct StoreCheckpoint: Sendable, Hashable {
    /// How long it took.
    public var duration: Duration
    /// How many bytes the WAL has, checkpointed or not.
    public var walSize: Int
    /// Whether the snapshot of a read prevented it from reaching the end of the WAL, so that
    /// the WAL continues to grow.
    public var isHeldByRead: Bool

    /// Makes a report.
    public init(duration: Duration, walSize: Int, isHeldByRead: Bool) {
        self.duration = duration
        self.walSize = walSize
        self.isHeldByRead = isHeldByRead
    }
}
