extension DataAccessLayer {
    /// The condition of the store at this moment: whether it works, the length of its WAL, and what
    /// waits.
    ///
    /// ```swift
    /// guard dal.health.isHealthy else { return .serviceUnavailable }
    /// ```
    ///
    /// It is what the store knows already: no file is touched, no statement runs, and the call waits
    /// for no read, write, commit or sync. So it may be called from any thread and as often as wanted,
    /// also inside a closure, while closures hold every connection, and after closing. A damage that
    /// no call has met yet is not in it; ``integrityProblems(file:line:)`` reads everything.
    public var health: StoreHealth { coordinator.health }
}
