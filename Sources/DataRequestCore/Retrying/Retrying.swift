#if RequestCore
import HTTPTypes
import SkiathosPlatformFoundation

/// Decides whether and when a call is retried, without waiting itself.
struct Retrying: Sendable {
    let policy: RetryPolicy
    let random: @Sendable () -> Double

    /// How long to wait before the next attempt; nil if there is none.
    ///
    /// - Parameters:
    ///   - progress: The attempts and waits so far, the failed attempt included.
    ///   - left: The time until the total limit; nil if there is none.
    func delay(
        after retryAfter: Duration?, progress: AttemptProgress, left: Duration?
    ) -> Duration? {
        guard progress.attempts < policy.maximumAttempts else { return nil }
        if let retryAfter, retryAfter > policy.maximumRetryAfter { return nil }
        let bound = bound(attempts: progress.attempts)
        let share = random()
        let jitter = share < 1 ? bound * max(0, share) : bound
        // Jitter is added, so that clients with the same `Retry-After` do not all come at the
        // same moment.
        let delay = retryAfter.map { $0 + jitter } ?? jitter
        guard progress.waited + delay <= policy.maximumWait else { return nil }
        if let left, delay >= left { return nil }
        return delay
    }

    /// The upper bound of the wait after a number of attempts.
    func bound(attempts: Int) -> Duration {
        // In floating point, where overflow does not trap.
        let factor = policy.factor.isNaN ? 1 : max(1, policy.factor)
        let maximum = policy.maximumDelay.inSeconds
        var bound = policy.baseDelay.inSeconds
        var waits = 1
        while waits < attempts, bound > 0, bound < maximum, factor > 1 {
            bound *= factor
            waits += 1
        }
        return bound < maximum ? .seconds(max(0, bound)) : max(.zero, policy.maximumDelay)
    }

    /// Whether a request may be sent again after an error.
    func mayRepeat(_ request: OutgoingRequest, after error: DataRequestError) -> Bool {
        guard policy.codes.contains(error.code), request.body.isRepeatable else { return false }
        return error.code == .connectionFailed || isIdempotent(request)
    }

    /// Whether a request may be sent again after an answer.
    func mayRepeat(_ request: OutgoingRequest, after status: HTTPResponse.Status) -> Bool {
        policy.statuses.contains(status.code) && request.body.isRepeatable && isIdempotent(request)
    }

    private func isIdempotent(_ request: OutgoingRequest) -> Bool {
        switch request.method {
        case .get, .head, .options, .trace, .put, .delete: true
        default: request.headers[.idempotencyKey] != nil
        }
    }
}

extension Duration {
    /// The duration as a number of seconds.
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
#endif
