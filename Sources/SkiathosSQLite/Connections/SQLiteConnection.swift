import GRDB
import SkiathosStore
import Synchronization

/// One connection to the database and everything that belongs to it.
final class SQLiteConnection: @unchecked Sendable {
    // Sendable: the session, with its statements, is used in `access` and `close` only, inside
    // `queue.inDatabase`, which runs one closure at a time. `isOpen` is guarded by its lock.

    private let queue: DatabaseQueue
    private let session: SQLiteSession
    /// Whether the connection may be interrupted and used.
    ///
    /// The lock keeps an interruption from meeting a connection that is just being closed.
    private let isOpen = Lock(true)

    /// Makes the session of a connection that was just opened.
    init(
        _ queue: DatabaseQueue, shared: SessionTexts, isReadOnly: Bool,
        version: SharedVersion? = nil, log: ((OpaquePointer) throws -> WriteAheadLog)? = nil
    ) throws {
        self.queue = queue
        self.session = try queue.inDatabase { database in
            try SQLiteSession(
                database, shared: shared, isReadOnly: isReadOnly, version: version, log: log)
        }
    }

    /// Runs a closure with exclusive use of the connection.
    ///
    /// Cancelled tasks make no difference.
    @inline(__always)
    func access<R>(_ body: (SQLiteSession) throws -> R) throws -> R {
        try queue.inDatabase { _ in
            guard !session.isClosed else { throw Self.closed() }
            return try body(session)
        }
    }

    /// Makes the running statement fail.
    ///
    /// From any thread, at any time.
    func interrupt() {
        isOpen.withLock { isOpen in
            if isOpen { queue.interrupt() }
        }
    }

    /// Closes the connection.
    ///
    /// Calling it again does nothing.
    func close() throws {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        guard wasOpen else { return }
        queue.inDatabase { _ in session.close() }
        do {
            try queue.close()
        } catch {
            throw session.texts.errors.error(error)
        }
    }

    private static func closed() -> StoreError {
        StoreError(.backend, "The store was closed. Open it again to use it.")
    }
}
