import SkiathosStore

/// Applying the changes of a write that joins the open batch.
extension GroupCommit {
    /// Begins to apply the changes of a write to the batch: all of them, or none.
    ///
    /// Called while the connection is held.
    ///
    /// - Parameter isFirst: Whether the write is the first of the batch, and needs no savepoint:
    ///   nothing else is in the transaction.
    func beginApplying(isFirst: Bool, _ session: any StoreWriteSession) throws {
        guard !isFirst else { return try begin(session) }
        do {
            try session.openSavepoint()
        } catch {
            undoApplying(isFirst: false, error, session)
            throw error
        }
    }

    /// Ends it when all changes were applied.
    func endApplying(isFirst: Bool, _ session: any StoreWriteSession) throws {
        if !isFirst { try session.releaseSavepoint() }
    }

    /// Undoes what was applied before an error.
    func undoApplying(isFirst: Bool, _ error: any Error, _ session: any StoreWriteSession) {
        guard !isFirst else { return rollback(session) }
        if session.isInTransaction {
            do {
                return try session.rollbackSavepoint()
            } catch {
                // The batch cannot be separated from the failed changes.
            }
        }
        // SQLite has rolled everything back, the writes that were merged before included.
        failBatch(error, session)
    }

    /// Inserts the only row of a write into the open batch without a savepoint; returns whether it
    /// did, which takes a session that can undo such a row.
    ///
    /// Called while the connection is held.
    ///
    /// - Parameter insert: Throws what ``StoreWriteSession/insertAlone(_:into:)`` throws, and nothing
    ///   else. The batch is lost then.
    func insertAlone(
        _ session: any StoreWriteSession,
        _ insert: (any StoreWriteSession) throws -> LoneInsertion
    ) throws -> Bool {
        let insertion: LoneInsertion
        do {
            insertion = try insert(session)
        } catch {
            failBatch(error, session)
            throw error
        }
        switch insertion {
        case .inserted: return true
        case .notOffered: return false
        case .refused(let error): throw error
        }
    }

    /// A statement of a write that has not changed anything has failed.
    ///
    /// Some failures end the transaction, also those of a statement that only reads.
    func statementFailed(_ error: any Error, _ session: any StoreWriteSession) {
        if hasBatch, !session.isInTransaction { failBatch(error, session) }
    }

    /// Rolls back the open batch, and fails its writes.
    private func failBatch(_ error: any Error, _ session: any StoreWriteSession) {
        guard let batch = advance({ $0.takeBatch() }) else { return rollback(session) }
        fail(batch, error, session)
    }
}
