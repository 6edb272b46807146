import Dispatch
import PersistenceService
import SkiathosLocks
import SkiathosStore
import Synchronization

/// The recorded calls and the planned failures of a fake and its children.
final class FakeScript: Sendable {
    private struct State {
        var calls: [ServiceOperation] = []
        /// The errors that operations throw and how many do, the next one first.
        var failures: [ServiceOperation.Kind: [(error: any Error, times: Int)]] = [:]
        /// The failures that no caller has awaited.
        var unawaited: [ServiceFailure] = []
        /// The outcome of the opening, once it is decided.
        var opening: Result<Void, any Error>?
    }

    private let state = Lock(State())
    /// Holds the enqueued changes that have not ended.
    private let enqueued = DispatchGroup()
    private let decided = AsyncStream.makeStream(of: Void.self)

    var calls: [ServiceOperation] { state.withLock { $0.calls } }

    var unawaited: [ServiceFailure] { state.withLock { $0.unawaited } }

    func add(_ failure: ServiceFailure) { state.withLock { $0.unawaited.append(failure) } }

    func beginEnqueued() { enqueued.enter() }

    /// Ends an enqueued change, after its failure was added.
    func endEnqueued() { enqueued.leave() }

    /// Waits until all enqueued changes have ended.
    func waitForEnqueued() async {
        await withContinuation { continuation in
            enqueued.notify(queue: .global()) { continuation.resume() }
        }
    }

    func forgetCalls() { state.withLock { $0.calls = [] } }

    func plan(_ kind: ServiceOperation.Kind, _ error: any Error, _ times: Int) {
        guard times > 0 else { return }
        state.withLock { $0.failures[kind, default: []].append((error, times)) }
    }

    /// Records an operation, and throws the error that is planned for it.
    func record(_ operation: ServiceOperation) throws {
        let error: (any Error)? = state.withLock { state in
            state.calls.append(operation)
            guard var failures = state.failures[operation.kind], let next = failures.first else {
                return nil
            }
            failures[0].times -= 1
            if failures[0].times == 0 { failures.removeFirst() }
            state.failures[operation.kind] = failures
            return next.error
        }
        if let error { throw error }
    }

    /// Decides the outcome of the opening; the first decision counts.
    func decide(_ result: Result<Void, any Error>) {
        state.withLock { if $0.opening == nil { $0.opening = result } }
        decided.continuation.finish()
    }

    /// Waits for the decision.
    func waitForOpening() async throws {
        for await _ in decided.stream {}
        try state.withLock { $0.opening }?.get()
    }
}
