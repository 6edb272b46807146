#if !THREAD_SANITIZER
/// Resumes a task that waits in ``withContinuation(isolation:function:_:)`` or
/// ``withThrowingContinuation(isolation:function:_:)``.
///
/// This is the standard library's continuation, except in builds with the thread sanitizer.
@usableFromInline
package typealias Continuation<Value, Failure: Error> = CheckedContinuation<Value, Failure>

/// Suspends the task until the continuation is resumed, and returns its value.
@inlinable @inline(__always)
package func withContinuation<Value>(
    isolation: isolated (any Actor)? = #isolation, function: String = #function,
    _ body: (Continuation<Value, Never>) -> Void
) async -> sending Value {
    await withCheckedContinuation(isolation: isolation, function: function, body)
}

/// Suspends the task until the continuation is resumed, and returns its value or throws its error.
@inlinable @inline(__always)
package func withThrowingContinuation<Value>(
    isolation: isolated (any Actor)? = #isolation, function: String = #function,
    _ body: (Continuation<Value, any Error>) -> Void
) async throws -> sending Value {
    try await withCheckedThrowingContinuation(isolation: isolation, function: function, body)
}
#else
/// Resumes a task that waits; the thread sanitizer sees that the result is handed over.
///
/// The runtime is not instrumented. It tells the sanitizer of the tasks that it enqueues, but not of a
/// result that it finds because the continuation was resumed before the task had suspended: then the
/// sanitizer reports a race between what was done before `resume` and what is done after the wait. Here
/// both sides pass a lock that the sanitizer knows.
package struct Continuation<Value, Failure: Error>: Sendable {
    fileprivate let continuation: CheckedContinuation<Value, Failure>
    fileprivate let handover: Handover

    package func resume(returning value: sending Value) {
        handover.pass()
        continuation.resume(returning: value)
    }

    package func resume(throwing error: Failure) {
        handover.pass()
        continuation.resume(throwing: error)
    }

    package func resume(with result: sending Result<Value, Failure>) {
        handover.pass()
        continuation.resume(with: result)
    }

    package func resume() where Value == () { resume(returning: ()) }
}

private final class Handover: Sendable {
    private let lock = Lock(())

    func pass() { lock.withLock { _ in } }
}

/// Suspends the task until the continuation is resumed, and returns its value.
package func withContinuation<Value>(
    isolation: isolated (any Actor)? = #isolation, function: String = #function,
    _ body: (Continuation<Value, Never>) -> Void
) async -> sending Value {
    let handover = Handover()
    let value = await withCheckedContinuation(isolation: isolation, function: function) {
        body(Continuation(continuation: $0, handover: handover))
    }
    handover.pass()
    return value
}

/// Suspends the task until the continuation is resumed, and returns its value or throws its error.
package func withThrowingContinuation<Value>(
    isolation: isolated (any Actor)? = #isolation, function: String = #function,
    _ body: (Continuation<Value, any Error>) -> Void
) async throws -> sending Value {
    let handover = Handover()
    defer { handover.pass() }
    return try await withCheckedThrowingContinuation(isolation: isolation, function: function) {
        body(Continuation(continuation: $0, handover: handover))
    }
}
#endif
