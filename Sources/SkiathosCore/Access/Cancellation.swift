import SkiathosStore

/// How the cancellation of a task ends the access that the task waits for.
@usableFromInline
enum Cancellation {
    /// Not at all: the caller blocks its thread.
    case ignored
    /// The access runs on the thread of the task, and its statements check whether that was cancelled.
    ///
    /// Costs less than a handler, and interrupts no statement of another access.
    case polled
    /// A handler interrupts the statements, from another thread.
    case interrupting(Interruption)

    init(_ interruption: Interruption?) {
        self = interruption.map { .interrupting($0) } ?? .ignored
    }

    @inlinable @inline(__always)
    var isPolled: Bool { if case .polled = self { true } else { false } }

    @inlinable @inline(__always)
    var isIgnored: Bool { if case .ignored = self { true } else { false } }

    /// Allows statements of a connection to be interrupted from now on; throws if the task was cancelled.
    func begin(_ connection: any StoreReader) throws {
        switch self {
        case .ignored: break
        case .polled: try Task.checkCancellation()
        case .interrupting(let interruption): try interruption.begin(connection)
        }
    }

    /// Throws if the task was cancelled in time.
    @inlinable @inline(__always)
    func check() throws { if !isIgnored { try checkTask() } }

    @usableFromInline
    func checkTask() throws {
        switch self {
        case .ignored: break
        case .polled: try Task.checkCancellation()
        case .interrupting(let interruption): try interruption.check()
        }
    }

    /// Forbids interruptions from now on, and throws if the task was cancelled in time.
    func settle() throws { if !isIgnored, end() { throw CancellationError() } }

    /// Forbids interruptions from now on, before the access gives back its permit or its connection, which
    /// the next one gets; returns whether the task was cancelled in time.
    fileprivate func end() -> Bool {
        switch self {
        case .ignored: false
        case .polled: Task.isCancelled
        case .interrupting(let interruption): interruption.end()
        }
    }
}

extension CancellationFlag {
    /// Forbids further interruptions of an access that has failed, and returns the error to throw in place
    /// of one that an interruption has caused.
    ///
    /// Called before the access gives its permit or its connection back.
    ///
    /// - Parameters:
    ///   - error: The error of the access.
    ///   - cancellation: How the cancellation of its task ends it.
    /// - Returns: `CancellationError` if the access was cancelled, ``refusal`` if the deadline of a
    ///   shutdown has passed, and the error itself if neither has happened, or if an interruption
    ///   cannot be its cause.
    func cause(of error: any Error, _ cancellation: Cancellation) -> any Error {
        let isCancelled = cancellation.end()
        guard let code = (error as? StoreError)?.code, Self.codes.contains(code) else {
            return error
        }
        if isCancelled { return CancellationError() }
        return isSet ? Self.refusal : error
    }

    /// The codes by which a store reports an interruption.
    ///
    /// An interruption of a running statement is `interrupted`. One that ends the wait for a
    /// lock is `busy`. One between two statements, for instance while SQLite parses the
    /// declaration of a virtual table, is a general error: `backend`.
    private static var codes: [StoreError.Code] { [.interrupted, .busy, .backend] }
}
