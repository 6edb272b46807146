#if RequestCore
import HTTPTypes
import SkiathosLocks
import SkiathosPlatformFoundation
import Synchronization

/// Fails calls to hosts whose circuit is open.
final class CircuitBreakerStep: PipelineStep {
    private let policy: CircuitBreakerPolicy
    private let clock: ServiceClock
    // Holds only hosts with failures, so it is bounded by the hosts that fail now, and by the
    // limit below.
    private let breakers = Lock<[Origin: CircuitBreaker]>([:])
    private static let maximumHosts = 1_000

    init(policy: CircuitBreakerPolicy, clock: ServiceClock) {
        self.policy = policy
        self.clock = clock
    }

    func handle(
        _ request: OutgoingRequest, of operation: RequestOperation, next: Pipeline.Rest
    ) async throws -> IncomingResponse {
        guard let origin = Origin(request.url) else { return try await next(request) }
        let now = clock.now
        if let wait = breakers.withLock({ $0[origin]?.admit(at: now) }) {
            throw DataRequestError(
                .circuitOpen,
                "\(operation.subject) was not sent, as the host has failed repeatedly. Try again "
                    + "in \(wait).",
                retry: .after(wait))
        }
        do {
            let response = try await next(request)
            record(response.status.code >= 500 ? .failure : .success, origin)
            return response
        } catch {
            record(outcome(of: error, operation), origin)
            throw error
        }
    }

    private func outcome(
        of error: any Error, _ operation: RequestOperation
    ) -> CircuitBreaker.Outcome {
        let codes: Set<DataRequestError.Code> = [.connectionFailed, .connectionLost, .timedOut]
        if let error = error as? DataRequestError {
            return codes.contains(error.code) ? .failure : .unknown
        }
        return operation.wasTooSlow ? .failure : .unknown
    }

    private func record(_ outcome: CircuitBreaker.Outcome, _ origin: Origin) {
        let now = clock.now
        breakers.withLock { breakers in
            if breakers[origin] == nil {
                guard outcome == .failure, breakers.count < Self.maximumHosts else { return }
                breakers[origin] = CircuitBreaker(policy)
            }
            breakers[origin]?.record(outcome, at: now)
            if breakers[origin]?.isPristine == true { breakers[origin] = nil }
        }
    }
}

extension DataRequestError.Code {
    /// The host has failed repeatedly, and calls to it are suspended for a while.
    public static let circuitOpen = Self(rawValue: "circuitOpen")
}
#endif
