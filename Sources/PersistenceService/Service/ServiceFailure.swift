/// A failure of a persistence service that no caller awaits, as the service's error handler
/// receives it.
///
/// ```swift
/// let service = StorePersistenceService(dal, errorHandler: { failure in
///     alert("\(failure.operation): \(failure.error)")     // change count visit: …
/// })
/// ```
///
/// There are two kinds: changes given to `enqueue`, and the opening of the store in the
/// background, whose operation has the kind `open`. Everything else is thrown to its caller.
public struct ServiceFailure: Sendable {
    /// The operation that failed.
    public var operation: ServiceOperation
    /// The error itself.
    public var error: any Error

    /// Makes a failure, for tests of code that handles one.
    public init(operation: ServiceOperation, error: any Error) {
        self.operation = operation
        self.error = error
    }
}
