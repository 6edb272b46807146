#if Requests
import DataRequestService
import SkiathosLocks
import Synchronization

/// Counts what happens in several tasks.
final class Counter: Sendable {
    private let state = Lock(0)

    var count: Int { state.withLock { $0 } }

    func add() { state.withLock { $0 += 1 } }
}

/// Counts the exchanges that have failed.
struct CountingFailures: RequestInterceptor {
    let counter: Counter

    func intercept(_ request: OutgoingRequest, next: Next) async throws -> IncomingResponse {
        do { return try await next(request) } catch {
            counter.add()
            throw error
        }
    }
}
#endif
