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
        /// Closing a store whose last reference was released.
        case close
    }

    /// The operation that failed.
    public var operation: Operation
    /// The error itself.
    public var error: any Error

    /// Makes a failure.
    public init(operation: Operation, error: any Error) {
        self.operation = operation
        self.error = error
    }
}
