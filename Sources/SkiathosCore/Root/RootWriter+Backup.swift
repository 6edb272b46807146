import SkiathosStore

extension RootWriter {
    /// Commits what was merged and begins a backup of it, whose snapshot is held for long.
    ///
    /// A long WAL is checkpointed first, and nothing is committed between the checkpoint and
    /// the snapshot. The backup then reads the main file alone, so the next commit can restart
    /// the WAL. Backups that follow each other leave the WAL as short as one of them does.
    ///
    /// - Parameter begin: Takes the snapshot; called while the writer's connection is held.
    func beginBackup(
        _ begin: () throws -> any StoreBackup
    ) throws -> any StoreBackup {
        if try store.writer.withSession({ $0.isWALLong }) {
            // Without the connection, so that writes only wait for the main file. A failure
            // was reported, and the checkpoint does not happen then.
            try? commits.syncNow()
        }
        let backup = try store.writer.withSession { session -> (any StoreBackup)? in
            // A batch that cannot be committed is lost, which was reported; the backup
            // continues.
            commits.commitBatch(session)
            return try shortenWAL(session) ? begin() : nil
        }
        if let backup { return backup }
        // A write has a transaction of its own, during which there is no checkpoint. Closing
        // waits for the backup before it acquires the permit for good.
        return try withPermit(as: .accepted) { _ in
            try store.writer.withSession { session in
                commits.commitBatch(session)
                _ = try shortenWAL(session)
                return try begin()
            }
        }
    }

    /// Checkpoints a long WAL, as far as reads allow; returns `false` if a transaction was
    /// open.
    private func shortenWAL(_ session: any StoreWriteSession) throws -> Bool {
        guard session.isWALLong, commits.failure == nil else { return true }
        guard !session.isInTransaction else { return false }
        commits.checkpoint(session)
        return true
    }
}
