/// Counts the checkpoints of a store from outside, the same way for every contestant.
///
/// A checkpoint raises the number of pages that the index of the WAL says are checkpointed. The WAL
/// restarts only when all of them are, so a restart tells of a checkpoint that was not seen.
struct CheckpointCounter {
    private let wal: WALWatch
    private var last: WALWatch.State
    /// How many checkpoints were seen.
    private(set) var count = 0

    init(_ wal: WALWatch) {
        self.wal = wal
        last = wal.state
    }

    /// Call more often than checkpoints are made.
    mutating func look() {
        let now = wal.state
        let hasRestarted = now.salt != last.salt
        if hasRestarted, last.checkpointed < last.pages { count += 1 }
        if now.checkpointed > (hasRestarted ? 0 : last.checkpointed) { count += 1 }
        last = now
    }
}
