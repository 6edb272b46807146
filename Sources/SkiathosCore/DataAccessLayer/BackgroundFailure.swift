/// A failure that no caller waits for, as the central error handler receives it.
public struct BackgroundFailure: Sendable {
    /// The operation that failed.
    public enum Operation: String, Sendable, CaseIterable {
        /// A write given to `enqueue`.
        case enqueuedWrite
        /// Committing writes that had returned already; they are lost.
        case commit
        /// Syncing commits; no commit counts as durable from here on.
        case sync
        /// Checking whether the files are those that were opened; every later write is
        /// refused.
        case fileCheck
        /// Checkpointing the WAL.
        case checkpoint
        /// Rolling back a write that had failed.
        case rollback
        /// Reading an observed value again; the next change leads to another read.
        case observation
        /// Looking for commits of other processes; the next look follows by itself.
        case commitWatch
        /// Closing a store whose last reference was released.
        case close
    }

    /// The operation that failed.
    public var operation: Operation
    /// The error itself.
    public var error: any Error
    /// How many writes had returned as merged, and were lost; 0 for other operations than `commit`.
    ///
    /// Writes of the same batch that waited for their commit are not counted: their callers get the
    /// error.
    public var lostWrites: Int
    /// What these writes had changed, by entity, in the order of the schema.
    ///
    /// At the most ``LostChanges/limit`` rows are named; see ``LostChanges/isComplete``.
    public var lostChanges: [LostChanges]

    /// Makes a failure.
    public init(
        operation: Operation, error: any Error, lostWrites: Int = 0,
        lostChanges: [LostChanges] = []
    ) {
        self.operation = operation
        self.error = error
        self.lostWrites = lostWrites
        self.lostChanges = lostChanges
    }

    /// What was lost, as the metadata of a log entry: numbers by entity, without IDs.
    var lostSummary: String {
        lostChanges.map { "\($0)" }.joined(separator: "; ")
    }
}
