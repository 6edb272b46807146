import SkiathosLocks
import Testing

/// Waits for an event of a test; records a failure with the place of the wait if it does not happen.
///
/// Without that, a test in which something has failed before the event would wait for ever, and the
/// failure be seen by nobody. The limit is no bound on speed.
///
/// - Parameters:
///   - absence: What is the case if the event has not happened, as the beginning of a sentence.
///   - begin: Stores the continuation, to be resumed with `true` at the event, or resumes it.
///   - giveUp: Removes the continuation, and returns it unless it was resumed or removed before.
func expectEvent(
    _ absence: String, _ location: SourceLocation, within limit: Duration = .seconds(120),
    begin: (Continuation<Bool, Never>) -> Void,
    giveUp: @escaping @Sendable () -> Continuation<Bool, Never>?
) async {
    let timer = Task {
        try await Task.sleep(for: limit)
        giveUp()?.resume(returning: false)
    }
    defer { timer.cancel() }
    let hasHappened = await withContinuation(begin)
    if !hasHappened {
        Issue.record("\(absence) within \(limit).", sourceLocation: location)
    }
}
