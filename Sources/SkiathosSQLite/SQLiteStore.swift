import Locks
public import SkiathosStore
import Synchronization

/// A store in a SQLite database, in a file or in memory.
///
/// ```swift
/// let store = try StoreSource.sqlite("app.sqlite").open(schema, StoreOptions())
/// ```
///
/// A file is written by one store object of one process at a time; any number may read it. It is
/// kept in WAL mode, so reading and writing do not wait for each other. Beside the file lie
/// its log (`-wal`), the log's index (`-shm`) and the lock of the writer (`.lock`); while it is open
/// for writing also what says how far the log goes (`-witness`), and up to a mebibyte of room for
/// deletions on a full disk (`-reserve`). Closing removes all but the lock.
public final class SQLiteStore: PersistentStore {
    /// The entities.
    public let schema: StoreSchema
    /// The connections that read; none for a store in memory.
    public let readers: [any StoreReader]
    /// The connection that writes.
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
        // Nobody is left to tell. Whoever wants to know calls close().
        try? close()
    }

    /// Brings the log into the main file, unless somebody still reads it, and gives up every file
    /// and lock.
    ///
    /// - Throws: `StoreError` if the log could not be brought into the main file. The store is
    ///   closed all the same, and nothing is lost: the next opening finds the log.
    public func close() throws {
        let wasClosed = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        if !wasClosed { try connections.close() }
    }
}
