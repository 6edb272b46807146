extension DataAccessLayer {
    /// Waits until every write that was accepted before is done and survives the loss of power.
    ///
    /// - Throws: `StoreError` with code `inputOutput` if the disk does not confirm.
    @available(*, noasync, message: "Use `try await dal.flush()`.")
    public func flush() throws { try coordinator.flush() }

    /// Waits until every write that was accepted before is done and survives the loss of power,
    /// without blocking a thread.
    public func flush() async throws { try await coordinator.flush() }

    /// Empties the store: every row of every entity is deleted in one write.
    ///
    /// The data access layer goes on working, and IDs that were handed out are not used again.
    @available(*, noasync, message: "Use `try await dal.reset()`.")
    @discardableResult
    public func reset() throws -> DataAccessLayer {
        try coordinator.reset()
        return self
    }

    /// Empties the store without blocking a thread while it waits for its turn.
    @discardableResult
    public func reset() async throws -> DataAccessLayer {
        try await coordinator.reset()
        return self
    }

    /// Stops accepting reads and writes, finishes those that were accepted, and closes the files.
    ///
    /// Calling it again is allowed and does nothing. Afterwards every call fails with the code
    /// `closed`.
    @available(*, noasync, message: "Use `try await dal.close()`.")
    public func close() throws { try coordinator.close() }

    /// Stops accepting reads and writes, finishes those that were accepted, and closes the
    /// files, without blocking a thread while it waits.
    ///
    /// Cancelling the task does not cut it short.
    public func close() async throws { try await coordinator.close() }
}
