#if RequestCore
import SkiathosLocks
import Synchronization

/// The operations in flight and their deadlines.
///
/// One heap holds every operation by the time at which a limit of it can pass at the earliest, and
/// one task sleeps until the earliest of them. An operation that ends in time costs an insertion
/// and a removal; its limits start and end without touching the table.
final class OperationRegistry: Sendable {
    struct State {
        var environment: EnvironmentRuntime
        var heap = DeadlineHeap<RequestOperation>()
        /// The operations in flight for environments that are no longer current.
        var retired: [ObjectIdentifier: Retired] = [:]
        var isClosed = false
        /// Resumed when nothing is in flight any more.
        var drained: [Continuation<Void, Never>] = []
        /// The task that sleeps until the earliest deadline, and that deadline.
        var sleeper: (task: Task<Void, Never>, until: Duration)?
    }

    struct Retired {
        var environment: EnvironmentRuntime
        var count: Int
    }

    let clock: ServiceClock
    // Guards all mutable state of the service. Only locks of single operations are acquired
    // while it is held, always second.
    private let state: Lock<State>

    init(environment: EnvironmentRuntime, clock: ServiceClock) {
        self.clock = clock
        state = Lock(State(environment: environment))
    }

    deinit { state.withLock { $0.sleeper?.task.cancel() } }

    /// The current environment.
    var environment: EnvironmentRuntime { state.withLock { $0.environment } }

    /// How many operations are in flight.
    var count: Int { state.withLock { $0.heap.count } }

    /// The operations in flight, in no order.
    var operations: [RequestOperation] { state.withLock { $0.heap.elements } }

    /// Whether the service refuses new operations.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Adds an operation for the current environment.
    ///
    /// - Throws: `shutDown` when the service refuses new ones.
    func admit(_ request: DataRequest) throws -> RequestOperation {
        let now = clock.now
        let admitted: RequestOperation? = state.withLock { state in
            guard !state.isClosed else { return nil }
            let environment = state.environment
            let limits = request.options.timeLimits
            let first = [limits.shortestPart, limits.total].compactMap { $0 }.min()
            let operation = state.heap.insert(at: first.map { now + $0 }) {
                RequestOperation(
                    request, slot: $0, environment: environment, clock: clock, started: now)
            }
            keepSleeping(&state)
            return operation
        }
        guard let admitted else {
            throw DataRequestError(
                .shutDown,
                "\(request.subject(in: environment)) was refused because the service is shut down. "
                    + "Make requests before, or make a new service.")
        }
        return admitted
    }

    /// Removes an operation, once its task has ended.
    func remove(_ operation: RequestOperation) {
        operation.end()
        let (waiters, unused) = state.withLock {
            state -> ([Continuation<Void, Never>], EnvironmentRuntime?) in
            state.heap.remove(slot: operation.slot)
            let unused = release(operation.environment, in: &state)
            guard state.heap.isEmpty else { return ([], unused) }
            defer { state.drained = [] }
            return (state.drained, unused)
        }
        for waiter in waiters { waiter.resume() }
        unused?.retire()
    }

    private func release(
        _ environment: EnvironmentRuntime, in state: inout State
    ) -> EnvironmentRuntime? {
        guard environment !== state.environment else { return nil }
        let key = ObjectIdentifier(environment)
        state.retired[key]?.count -= 1
        guard state.retired[key]?.count == 0 else { return nil }
        return state.retired.removeValue(forKey: key)?.environment
    }
}

extension OperationRegistry {
    /// Makes an environment the current one and returns the operations in flight for earlier
    /// ones.
    ///
    /// - Throws: `shutDown` when the service refuses new operations.
    func replaceEnvironment(by next: EnvironmentRuntime) throws -> [RequestOperation] {
        let replaced = state.withLock {
            state -> (isUnused: Bool, before: EnvironmentRuntime, all: [RequestOperation])? in
            guard !state.isClosed else { return nil }
            let before = state.environment
            let inFlight = state.heap.elements.filter { $0.environment === before }
            state.environment = next
            if !inFlight.isEmpty {
                state.retired[ObjectIdentifier(before)] = Retired(
                    environment: before, count: inFlight.count)
            }
            return (isUnused: inFlight.isEmpty, before, state.heap.elements)
        }
        guard let replaced else {
            throw DataRequestError(
                .shutDown, "The environment cannot be switched: the service is shut down.")
        }
        if replaced.isUnused { replaced.before.retire() }
        return replaced.all
    }

    /// Refuses new operations from now on, and returns how many are in flight.
    @discardableResult
    func close() -> Int {
        state.withLock {
            $0.isClosed = true
            return $0.heap.count
        }
    }

    /// The environments that still have operations in flight, the current one first.
    var environments: [EnvironmentRuntime] {
        state.withLock { [$0.environment] + $0.retired.values.map(\.environment) }
    }

    /// Waits until nothing is in flight; call after ``close()``.
    func drain() async {
        await withContinuation { continuation in
            let isEmpty = state.withLock {
                guard !$0.heap.isEmpty else { return true }
                $0.drained.append(continuation)
                return false
            }
            if isEmpty { continuation.resume() }
        }
    }

    /// Ends the task that checks the deadlines; call when nothing can be admitted any more.
    func stopKeepingDeadlines() {
        let sleeper = state.withLock { state in
            defer { state.sleeper = nil }
            return state.sleeper?.task
        }
        sleeper?.cancel()
    }
}

extension OperationRegistry {
    /// Ensures that a task sleeps until the earliest deadline; called with the lock held.
    private func keepSleeping(_ state: inout State) {
        guard let earliest = state.heap.earliest else { return }
        if let sleeper = state.sleeper {
            guard earliest < sleeper.until else { return }
            sleeper.task.cancel()
        }
        let task = Task { [weak self, clock] in
            guard (try? await clock.sleep(until: earliest)) != nil else { return }
            self?.lookAtDeadlines()
        }
        state.sleeper = (task, earliest)
    }

    /// Stops operations whose limits have passed, and sleeps again.
    private func lookAtDeadlines() {
        let now = clock.now
        let late = state.withLock { state -> [(RequestOperation, TimeLimit)] in
            var late: [(RequestOperation, TimeLimit)] = []
            // Each operation is checked once, since the next check of it is later than now.
            while let operation = state.heap.due(at: now) {
                let (limit, again) = operation.passedLimit(at: now)
                if let limit { late.append((operation, limit)) }
                // A stopped operation stays in the table without a deadline until its task
                // ends.
                state.heap.postponeFirst(to: limit == nil ? again : nil)
            }
            state.sleeper = nil
            keepSleeping(&state)
            return late
        }
        for (operation, limit) in late { operation.stop(.timedOut(limit)) }
    }
}
#endif
