#if RequestCore
import HTTPTypes
import SkiathosPlatformFoundation

/// Retries a request while its failures are transient.
struct RetryStep: PipelineStep {
    let policy: RetryPolicy
    let random: @Sendable () -> Double
    let clock: ServiceClock

    func handle(
        _ request: OutgoingRequest, of operation: RequestOperation, next: Pipeline.Rest
    ) async throws -> IncomingResponse {
        let retrying = Retrying(policy: request.options.retry ?? policy, random: random)
        while true {
            operation.advance { $0.attempts += 1 }
            let response: IncomingResponse
            do { response = try await next(request) } catch let error as DataRequestError {
                guard retrying.mayRepeat(request, after: error),
                    try await pause(retrying, after: error.retry.duration, of: operation)
                else { throw error }
                continue
            }
            guard retrying.mayRepeat(request, after: response.status) else { return response }
            let wait = RetryAfter.duration(response.headers[.retryAfter], now: Date())
            guard let delay = delay(retrying, after: wait, of: operation) else { return response }
            await response.body.discard()
            try await sleep(delay, of: operation)
        }
    }

    /// Waits before the request is sent again because the body of a response broke off.
    ///
    /// - Returns: Whether the request is to be sent again.
    func pause(
        before request: OutgoingRequest, after error: DataRequestError,
        of operation: RequestOperation
    ) async throws -> Bool {
        let retrying = Retrying(policy: request.options.retry ?? policy, random: random)
        guard retrying.mayRepeat(request, after: error) else { return false }
        return try await pause(retrying, after: error.retry.duration, of: operation)
    }

    private func pause(
        _ retrying: Retrying, after wait: Duration?, of operation: RequestOperation
    ) async throws -> Bool {
        guard let delay = delay(retrying, after: wait, of: operation) else { return false }
        try await sleep(delay, of: operation)
        return true
    }

    private func delay(
        _ retrying: Retrying, after wait: Duration?, of operation: RequestOperation
    ) -> Duration? {
        let left = operation.totalDeadline.map { $0 - clock.now }
        return retrying.delay(after: wait, progress: operation.progress, left: left)
    }

    private func sleep(_ delay: Duration, of operation: RequestOperation) async throws {
        operation.advance { $0.waited += delay }
        guard delay > .zero else { return try Task.checkCancellation() }
        try await clock.sleep(until: clock.now + delay)
    }
}

extension DataRequestError.Retry {
    /// The time that a server named.
    var duration: Duration? {
        guard case .after(let duration) = self else { return nil }
        return duration
    }
}
#endif
