extension DataAccessLayer {
    /// Waits until every write that was accepted before has reached an acknowledgement level:
    /// by default, until it survives the loss of power.
    ///
    /// - Throws: `StoreError` with code `inputOutput` if the disk does not confirm. If writes
    ///   that had returned as merged were lost since the last flush, the error of their
    ///   commit, once.
    @available(*, noasync, message: "Use `try await dal.flush()`.")
    public func flush(to level: Acknowledgement = .durable) throws {
        try coordinator.flush(to: level)
    }

    /// Waits until every write that was accepted before has reached an acknowledgement level,
    /// without blocking a thread.
    public func flush(to level: Acknowledgement = .durable) async throws {
        try await coordinator.flush(to: level)
    }

    /// Empties the store: every row of every entity is deleted in one write.
    ///
    /// The data access layer stays open, and IDs that were allocated are not used again.
    @available(*, noasync, message: "Use `try await dal.reset()`.")
    @discardableResult
    public func reset() throws -> DataAccessLayer {
        try coordinator.reset()
        return self
    }

    /// Empties the store without blocking a thread while it waits for the write permit.
    @discardableResult
    public func reset() async throws -> DataAccessLayer {
        try await coordinator.reset()
        return self
    }

    /// Closes within a deadline, and reports what could not be done.
    ///
    /// Nothing new is accepted from the beginning. Accesses that were accepted finish, the
    /// store is synced, and its files are closed. When the deadline has passed, accesses that
    /// still wait are refused with the code `closed`. Running statements are interrupted, and
    /// at least the merged writes are synced. That takes at most a fifth of the deadline more,
    /// or half a second.
    ///
    /// When this returns, the completions of all writes have been called, unless they take two
    /// seconds longer than that. So has the error handler for enqueued writes that failed.
    ///
    /// ```swift
    /// let report = await dal.shutDown(within: .seconds(10))
    /// print(report)
    /// ```
    ///
    /// Cancelling the task does not end the shutdown. Calling it again is allowed, also while
    /// the first call waits: the earliest deadline counts, and all calls end together. Each
    /// reports the whole shutdown. A call after a shutdown that has left closures running
    /// waits for those once more, until its own deadline. Without one, it waits until the
    /// earliest deadline of all calls.
    ///
    /// Once it has begun, it continues even while closures hold all threads of Swift's tasks.
    ///
    /// - Parameter deadline: How long accepted accesses may take; without one, as long as the
    ///   configuration says.
    @discardableResult
    public func shutDown(within deadline: Duration? = nil) async -> ShutdownReport {
        await Task(executorPreference: ShutdownExecutor.shared) { [coordinator] in
            await coordinator.shutDown(within: deadline)
        }.value
    }

    /// Closes within a deadline like ``shutDown(within:)``, or within an earlier one that
    /// another call has given, even if that has passed.
    package func shutDown(atMost deadline: Duration) async -> ShutdownReport {
        await Task(executorPreference: ShutdownExecutor.shared) { [coordinator] in
            await coordinator.shutDown(within: deadline, keepsEarlier: true)
        }.value
    }

    /// `Configuration.label` of the store.
    package var label: String { coordinator.label }

    /// `Configuration.shutdownDeadline` of the store.
    package var shutdownDeadline: Duration { coordinator.shutdownDeadline }

    /// Stops accepting reads and writes, finishes those that were accepted, and closes the files.
    ///
    /// Calling it again is allowed and does nothing. Afterwards every call fails with the code
    /// `closed`.
    @available(*, noasync, message: "Use `try await dal.close()`.")
    public func close() throws { try coordinator.close() }

    /// Stops accepting reads and writes, finishes those that were accepted, and closes the
    /// files, without blocking a thread while it waits.
    ///
    /// Cancelling the task does not end the wait.
    public func close() async throws { try await coordinator.close() }
}
