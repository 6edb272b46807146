#if Requests
import DataRequestCore
import SkiathosLocks
import SkiathosPlatformFoundation
import Synchronization

/// The queues of requests that wait to be written to a connection, one for each host.
///
/// The client limits its waiting requests, and scans all of them whenever one is added or
/// removed. So it gets only as many as a host may have connections, and the next one when one
/// of them has departed. The client reports neither that moment nor whether a failed request
/// was sent. So each request carries its number in a header, which `ConnectionGuard` removes
/// when the request is written to its connection.
final class Departures: Sendable {
    /// The header of the number, which is never sent.
    static let header = "x-skiathos-departure"

    /// A host and port with connections of its own.
    struct Endpoint: Hashable {
        let scheme: String?
        let host: String?
        let port: Int?

        init(_ url: URL) {
            scheme = url.scheme?.lowercased()
            host = url.host(percentEncoded: true)?.lowercased()
            port = url.checkedPort
        }
    }

    private struct WaitingQueue {
        /// How many requests the client has that have not departed.
        var admitted = 0
        /// The numbers of the waiting requests; some may have been removed.
        var waiting: ArraySlice<Int> = []
    }

    private struct Request {
        let endpoint: Endpoint
        let hasLeft: @Sendable () -> Void
        var isAdmitted = false
        /// The error that ends the wait, if it came before the task began to wait.
        var failure: (any Error)?
        var waiter: Continuation<Void, any Error>?
    }

    private struct State {
        var next = 0
        var requests: [Int: Request] = [:]
        var queues: [Endpoint: WaitingQueue] = [:]
        /// The expectations that delay bodies, by request number, also after the departure.
        var expectations: [Int: Expectation] = [:]
    }

    private let width: Int
    private let state = Lock(State())

    /// Makes queues that pass at most `width` requests at a time to the client.
    init(width: Int) { self.width = width }

    /// Waits in the queue of an endpoint; returns a number when the request may be passed to the
    /// client.
    ///
    /// - Parameters:
    ///   - limit: How long to wait.
    ///   - late: The error after that time.
    ///   - hasLeft: Called when the request is written to its connection.
    func enter(
        _ endpoint: Endpoint, within limit: Duration, late: DataRequestError,
        hasLeft: @escaping @Sendable () -> Void
    ) async throws -> Int {
        let (number, isAdmitted) = state.withLock { state in
            state.next += 1
            let isAdmitted = state.queues[endpoint, default: WaitingQueue()].admitted < width
            if isAdmitted {
                state.queues[endpoint, default: WaitingQueue()].admitted += 1
            } else {
                state.queues[endpoint, default: WaitingQueue()].waiting.append(state.next)
            }
            state.requests[state.next] = Request(
                endpoint: endpoint, hasLeft: hasLeft, isAdmitted: isAdmitted)
            return (state.next, isAdmitted)
        }
        guard !isAdmitted else { return number }
        let timer = Task {
            try await Task.sleep(for: limit.waitable)
            stop(number, late)
        }
        defer { timer.cancel() }
        try await withTaskCancellationHandler {
            try await withThrowingContinuation { wait(number, $0) }
        } onCancel: {
            stop(number, CancellationError())
        }
        return number
    }

    private func wait(_ number: Int, _ waiter: Continuation<Void, any Error>) {
        let result: Result<Void, any Error>? = state.withLock { state in
            if let failure = state.requests[number]?.failure {
                state.requests[number] = nil
                return .failure(failure)
            }
            if state.requests[number]?.isAdmitted == true { return .success(()) }
            state.requests[number]?.waiter = waiter
            return nil
        }
        if let result { waiter.resume(with: result) }
    }

    /// Ends a wait, unless the request was admitted.
    private func stop(_ number: Int, _ error: any Error) {
        let waiter = state.withLock { state -> Continuation<Void, any Error>? in
            guard let request = state.requests[number], !request.isAdmitted else { return nil }
            if request.waiter == nil {
                state.requests[number]?.failure = error
            } else {
                state.requests[number] = nil
            }
            return request.waiter
        }
        waiter?.resume(throwing: error)
    }

    /// Called when a request is written to its connection.
    func leave(_ number: Int) { remove(number)?.hasLeft() }

    /// Removes a request whose exchange is over; returns whether it had not departed.
    @discardableResult
    func forget(_ number: Int) -> Bool {
        state.withLock { $0.expectations[number] = nil }
        return remove(number) != nil
    }

    /// Stores the expectation that delays the body of a request, until the request is removed.
    func hold(_ number: Int, by expectation: Expectation) {
        state.withLock { $0.expectations[number] = expectation }
    }

    /// Called when the server has accepted the body of a request.
    func proceed(_ number: Int) {
        state.withLock { $0.expectations[number] }?.settle(isWanted: true)
    }

    /// Removes an admitted request, and admits the next one of its queue.
    private func remove(_ number: Int) -> Request? {
        let (removed, waiter) = state.withLock {
            state -> (Request?, Continuation<Void, any Error>?) in
            guard let request = state.requests.removeValue(forKey: number) else {
                return (nil, nil)
            }
            return (request, admitNext(at: request.endpoint, &state))
        }
        waiter?.resume()
        return removed
    }

    private func admitNext(
        at endpoint: Endpoint, _ state: inout State
    ) -> Continuation<Void, any Error>? {
        while let next = state.queues[endpoint]?.waiting.popFirst() {
            guard let request = state.requests[next], request.failure == nil else { continue }
            state.requests[next]?.isAdmitted = true
            state.requests[next]?.waiter = nil
            return request.waiter
        }
        state.queues[endpoint]?.admitted -= 1
        if state.queues[endpoint]?.admitted == 0 { state.queues[endpoint] = nil }
        return nil
    }
}
#endif
