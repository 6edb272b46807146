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
    /// Whether ``StoreSession/checksCancellation`` has an effect on reads.
    ///
    /// If so, reads of tasks set it, and their cancellation needs no handler that calls ``interrupt()``,
    /// which costs as much as finding several rows; integrity checks have that handler in any case.
    /// Defaults to `false`.
    var supportsCancellationChecks: Bool { get }
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
    /// `false`: statements do not check.
    public var supportsCancellationChecks: Bool { false }
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
