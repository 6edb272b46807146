/// An observer of a backend's maintenance: events that no caller awaits, but that operators
/// need.
///
/// It is handed over in ``StoreOptions``. A backend without a log never calls it. The calls come
/// while the writer's connection is in use, so they must be short and must not call the store.
public protocol StoreObserver: AnyObject, Sendable {
    /// A commit has left the log with a size: the bytes that are committed, but were not brought
    /// into the main file before the log last started over.
    func logChanged(size: Int)
    /// What is in the log was brought into the main file, as far as reads let it.
    func checkpointMade(_ checkpoint: StoreCheckpoint)
    /// The files were found removed, replaced or cut while no call waited that could be told.
    ///
    /// Called once, on a thread of the backend's own.
    func filesFailed(_ error: StoreError)
}

/// What a checkpoint has come to.
public struct StoreCheckpoint: Sendable, Hashable {
    /// How long it took.
    public var duration: Duration
    /// How many bytes the log has, whether or not they are in the main file by now.
    public var logSize: Int
    /// Whether the snapshot of a read kept it from getting to the end of the log, so that the
    /// log goes on growing.
    public var isHeldByRead: Bool

    /// Makes a report.
    public init(duration: Duration, logSize: Int, isHeldByRead: Bool) {
        self.duration = duration
        self.logSize = logSize
        self.isHeldByRead = isHeldByRead
    }
}
