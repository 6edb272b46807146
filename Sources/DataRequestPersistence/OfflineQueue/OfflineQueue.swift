#if RequestCore
public import DataRequestCore
import Locks
public import SkiathosCore
import Synchronization

/// Delivers the requests that lie in the store: at least once, in order for each key, with back-off,
/// across restarts.
///
/// ```swift
/// let queue = OfflineQueue(dal, over: service)
/// async let running: Void = queue.run()
/// try await dal.write { context in
///     try Cart.find(id, in: context)?.quantity += 1
///     try context.enqueue(DataRequest(.put, "carts/7").body(.data(json)), key: "cart-7")
/// }
/// // PUT …/carts/7 with Idempotency-Key: 0C6B…, then DELETE FROM "dataRequestQueue" WHERE "id" = 1
/// ```
///
/// - A request is removed only after an answer that is a success, in a durable write. A process that
///   is killed between the two sends it again, with the same `Idempotency-Key`.
/// - Requests with the same key are sent one after the other in the order of their writes; one that
///   fails holds up its own key alone. Different keys are delivered at the same time.
/// - The times of the next attempts lie in the store, and hold after a restart.
/// - A request that is refused for good is set aside with its reason, and can be looked at, retried
///   and discarded.
///
/// Any number of queues may work on one store; each key is delivered by one of them at a time.
public final class OfflineQueue: Sendable {
    let dal: DataAccessLayer
    let service: DataRequestService
    let configuration: Configuration
    let state = Lock(State())

    struct State {
        /// What runs, by a number of its own.
        var runs: [Int: Task<Void, any Error>] = [:]
        var nextNumber = 0
        var isStopping = false
        /// Whether the next look is for all that waits, due or not.
        var isHurried = false
        /// Whether somebody has written something since the last look.
        var needsLook = true
        /// What the loops that run wait for.
        var wakers: [Int: AsyncStream<Void>.Continuation] = [:]
        var listeners: [Int: AsyncStream<Event>.Continuation] = [:]
        /// Those whose removal by a queue is still to be heard of from the store.
        var removed: Set<QueuedRequest.ID> = []

        mutating func number() -> Int {
            nextNumber += 1
            return nextNumber
        }
    }

    /// Makes a queue, which delivers nothing before ``run()`` or ``deliverNow()``.
    ///
    /// - Parameters:
    ///   - dal: The store, opened with ``DataRequestEntities``.
    ///   - service: What requests are sent by.
    ///   - configuration: How it delivers.
    public init(
        _ dal: DataAccessLayer, over service: DataRequestService,
        configuration: Configuration = Configuration()
    ) {
        self.dal = dal
        self.service = service
        self.configuration = configuration
    }

    /// What becomes of attempts, from this call on; the newest thousand are kept for a slow reader.
    public var events: AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(1000))
        let number = state.withLock { state in
            let number = state.number()
            state.listeners[number] = continuation
            return number
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    func tell(_ event: Event) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(event) }
    }

    /// Has everything that runs look at the store again.
    func wake(_ change: (inout State) -> Void = { $0.needsLook = true }) {
        let wakers = state.withLock { state in
            change(&state)
            return Array(state.wakers.values)
        }
        for waker in wakers { waker.yield() }
    }
}
#endif
