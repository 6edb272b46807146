import SkiathosLocks
public import SkiathosStore
import Synchronization

/// A store in a SQLite database, in a file or in memory.
///
/// ```swift
/// let store = try StoreSource.sqlite("app.sqlite").open(schema, StoreOptions())
/// ```
///
/// A file is written by one store object of one process at a time; any number may read it. It
/// is kept in WAL mode, so reading and writing do not wait for each other. Beside the file are
/// its WAL (`-wal`), the WAL's index (`-shm`) and the lock of the writer (`.lock`). While it
/// is open for writing there are also the witness of the WAL's end (`-witness`) and up to a
/// mebibyte reserved for deletions on a full disk (`-reserve`). Closing removes all but the
/// lock.
public final class SQLiteStore: PersistentStore {
    /// The entities.
    public let schema: StoreSchema
    /// The reading connections; none for a store in memory.
    public let readers: [any StoreReader]
    /// The writing connection.
    public let writer: any StoreWriter
    /// Whether the store was opened for reading only.
    public let isReadOnly: Bool

    let connections: OpenConnections
    /// Whether ``close()`` was called.
    private let isClosed = Lock(false)

    init(_ schema: StoreSchema, _ connections: OpenConnections, isReadOnly: Bool) {
        self.schema = schema
        self.isReadOnly = isReadOnly
        self.connections = connections
        readers = connections.readers
        writer = connections.writer
    }

    deinit {
        // No caller can get this error. Code that needs it calls close().
        try? close()
    }

    /// Finds out when other processes commit, on a connection of its own.
    ///
    /// Where Linux tells that the WAL was written, a commit is reported at once, and the next ones an
    /// interval later. Elsewhere, and on file systems that others than this system may write, this looks
    /// at the interval.
    ///
    /// - Returns: `nil` unless the store is a file that was opened for reading only.
    public func watchCommits(
        every interval: Duration, _ report: @escaping @Sendable (CommitWatchEvent) -> Void
    ) -> (any CommitWatch)? {
        commitPoll(every: interval, or: WriteWatch(), report)
    }

    /// ``watchCommits(every:_:)`` with something else that tells of writes.
    func commitPoll(
        every interval: Duration, or writes: WriteWatch?,
        _ report: @escaping @Sendable (CommitWatchEvent) -> Void
    ) -> CommitPoll? {
        guard let path = connections.path, let file = connections.readFile else { return nil }
        return CommitPoll(
            path, file, ErrorTranslation(schema, file: path.file), every: interval, or: writes,
            report)
    }

    /// Checkpoints the WAL, unless a reader still uses it, and closes every file and lock.
    ///
    /// - Throws: `StoreError` if the WAL could not be checkpointed. The store is closed
    ///   nevertheless, and nothing is lost: the next opening finds the WAL.
    public func close() throws {
        let wasClosed = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        if !wasClosed { try connections.close() }
    }
}
