#if RequestCore
public import DataRequestCore
import SkiathosLocks
public import SkiathosCore
import Synchronization

/// A persistent outbox: delivers stored requests at least once, in order for each key.
///
/// It backs off after failures, and continues after a restart.
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
/// - A request is removed only after a successful answer, in a durable write. If the process
///   is killed between the two, the next one sends the request again, with the same
///   `Idempotency-Key`.
/// - Requests with the same key are sent one after the other in the order of their writes; one
///   that fails delays only its own key. Different keys are delivered at the same time.
/// - The times of the next attempts are stored, and hold after a restart.
/// - A request that is refused permanently is dead-lettered with its reason. It can be
///   inspected, retried and discarded.
///
/// Any number of queues may work on one store; each key is delivered by one of them at a time.
public final class OfflineQueue: Sendable {
    let dal: DataAccessLayer
    let service: DataRequestService
    let configuration: Configuration
    let state = Lock(State())
    let waits: RetryWaits

    struct State {
        /// The running loops, by number.
        var runs: [Int: Task<Void, any Error>] = [:]
        var nextNumber = 0
        var isStopping = false
        /// Whether the next check is for all waiting requests, due or not.
        var isHurried = false
        /// Whether there was a write since the last check of the store.
        var needsCheck = true
        /// The streams that running loops wait for.
        var wakers: [Int: AsyncStream<Void>.Continuation] = [:]
        var listeners: [Int: AsyncStream<Event>.Continuation] = [:]
        /// Requests removed by a queue whose change event has not arrived yet.
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
    ///   - service: The service that sends the requests.
    ///   - configuration: The configuration of the queue.
    public init(
        _ dal: DataAccessLayer, over service: DataRequestService,
        configuration: Configuration = Configuration()
    ) {
        self.dal = dal
        self.service = service
        self.configuration = configuration
        waits = RetryWaits(configuration)
    }

    /// The outcomes of attempts from this call on; the newest thousand are buffered.
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

    /// Whether no more deliveries begin.
    var isStopping: Bool { state.withLock { $0.isStopping } }

    func notify(_ event: Event) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(event) }
    }

    /// Lets no more deliveries begin, and wakes the running loops, which end with those under
    /// way.
    func beginStopping() { wake { $0.isStopping = true } }

    /// Wakes all running loops to check the store again.
    func wake(_ change: (inout State) -> Void = { $0.needsCheck = true }) {
        let wakers = state.withLock { state in
            change(&state)
            return Array(state.wakers.values)
        }
        for waker in wakers { waker.yield() }
    }
}
#endif
