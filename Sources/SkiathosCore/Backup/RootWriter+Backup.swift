import Locks
import SkiathosStore
import Synchronization

extension RootWriter {
    /// Commits what was merged and begins a backup of it, whose version is held for long.
    ///
    /// If the log is long, it is brought into the main file first, and nothing is committed before
    /// the version is taken. The backup then reads the main file alone, so the next commit can start
    /// the log over, and backups that follow each other leave it as short as one of them does.
    ///
    /// - Parameter begin: Takes the version; called while the writer's connection is held.
    func beginBackup(
        _ begin: () throws -> any StoreBackup
    ) throws -> any StoreBackup {
        if try store.writer.withSession({ $0.isLogLong }) {
            // Without the connection, so that writes have to wait for the main file alone. A failure
            // was reported, and the checkpoint does not happen then.
            let synced = syncBarrier()
            syncAwaited()
            try? synced.awaitAcknowledgement()
        }
        let backup = try store.writer.withSession { session -> (any StoreBackup)? in
            // If it cannot be committed it is lost, which was reported; the backup goes on.
            commitBatch(session)
            return try shortenLog(session) ? begin() : nil
        }
        if let backup { return backup }
        // A write has a transaction of its own, during which there is no checkpoint. Closing waits
        // for the backup before it takes the permit for good.
        return try withPermit(as: .accepted) { _ in
            try store.writer.withSession { session in
                commitBatch(session)
                _ = try shortenLog(session)
                return try begin()
            }
        }
    }

    /// Brings a long log into the main file, as far as no read is in the way; tells whether no
    /// transaction was.
    private func shortenLog(_ session: any StoreWriteSession) throws -> Bool {
        guard session.isLogLong, state.withLock({ $0.failure == nil }) else { return true }
        guard !session.isInTransaction else { return false }
        noteFailure(of: .checkpoint) { try session.checkpoint() }
        return true
    }
}
