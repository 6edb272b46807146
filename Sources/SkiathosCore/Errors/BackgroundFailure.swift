/// A failure that no caller waits for, as the central error handler gets it.
public struct BackgroundFailure: Sendable {
    /// What was being done.
    public enum Operation: String, Sendable, CaseIterable {
        /// A write given to `enqueue`.
        case enqueuedWrite
        /// Committing writes that had returned already; they are lost.
        case commit
        /// Making commits survive the loss of power; nothing counts as durable from here on.
        case sync
        /// Looking whether the files are those that were opened; every later write is refused.
        case fileCheck
        /// Bringing the log into the main file.
        case checkpoint
        /// Undoing a write that had failed.
        case rollback
        /// Reading an observed value again; the next change leads to another attempt.
        case observation
        /// Closing a store whose last owner had gone.
        case close
    }

    /// What was being done.
    public var operation: Operation
    /// The error itself.
    public var error: any Error

    /// Makes a failure.
    public init(operation: Operation, error: any Error) {
        self.operation = operation
        self.error = error
    }
}
