import Dispatch
import Locks

extension LiveQuery {
    /// Waits until a moment, or the end of the query.
    ///
    /// - Returns: Whether the observer goes on; `false` if the task was cancelled.
    func pause(until moment: ContinuousClock.Instant) async -> Bool {
        let rest = ContinuousClock.now.duration(to: moment)
        guard rest > .zero else { return !Task.isCancelled }
        let id = makeID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard addPause(id, continuation) else { return continuation.resume() }
                DispatchQueue.global().asyncAfter(
                    deadline: .now() + .nanoseconds(rest.nanoseconds)
                ) { [weak self] in self?.endPause(id) }
            }
        } onCancel: {
            endPause(id)
        }
        return !Task.isCancelled
    }
}
