import Locks
import SkiathosStore
import Synchronization

extension RootWriter {
    /// Replaces every row by those of a backup, in a transaction of its own.
    ///
    /// The caller has the write permit.
    ///
    /// IDs that were allocated before stay allocated, and so do those that the backup has
    /// allocated.
    func restore(
        from path: String, _ interruption: Interruption?, _ progress: (StoreProgress) throws -> Void
    ) throws {
        try requireWritable(.durable)
        try store.writer.withSession { session in
            commitBatch(session)
            do {
                try begin(session)
                let highest = try session.restore(from: path) { report in
                    try interruption?.check()
                    try stop.check()
                    try progress(report)
                }
                let limits = allocator.withLock { $0.recordUsed(highest: highest) }
                try session.apply(limits.map { .reserveIDs(entity: $0.entity, upTo: $0.limit) })
                try session.checkReferences()
                try interruption?.settle()
                try commit(session, changing: .everything)
            } catch {
                rollback(session)
                allocator.withLock { $0.rollback() }
                throw error
            }
            allocator.withLock { $0.commit() }
            changes.merged(.everything)
            changes.committed()
            checkpointIfDue(session)
        }
    }
}
