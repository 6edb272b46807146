#if RequestCore
import SkiathosLocks
import SkiathosPlatformFoundation
import Synchronization

/// Derives reachability from the outcomes of exchanges with the base host.
final class ReachabilityMonitor: Sendable {
    private struct State {
        var current = Reachability.unknown
        /// Failures in a row.
        var failures = 0
        /// The environment of the outcomes that count.
        var environment: ObjectIdentifier
        var probing: Task<Void, Never>?
    }

    private let policy: ReachabilityPolicy
    private let clock: ServiceClock
    private let state: Lock<State>
    private let broadcast = Broadcast<Reachability>(bufferSize: 1)

    init(policy: ReachabilityPolicy, clock: ServiceClock, environment: EnvironmentRuntime) {
        self.policy = policy
        self.clock = clock
        state = Lock(State(environment: ObjectIdentifier(environment)))
    }

    deinit { state.withLock { $0.probing?.cancel() } }

    var current: Reachability { state.withLock { $0.current } }

    var changes: AsyncStream<Reachability> {
        state.withLock { broadcast.listen(first: $0.current) }
    }

    /// Resets the state for another environment.
    func reset(to environment: EnvironmentRuntime) {
        state.withLock { state in
            state.environment = ObjectIdentifier(environment)
            state.failures = 0
            change(to: .unknown, &state)
        }
    }

    /// Records a response, or the code of a failure.
    ///
    /// - Parameter probe: Probes the host, when it has become unreachable and probes are
    ///   configured.
    func record(
        _ failure: DataRequestError.Code?, in environment: EnvironmentRuntime,
        probe: @escaping @Sendable () async -> Void
    ) {
        state.withLock { state in
            guard state.environment == ObjectIdentifier(environment) else { return }
            guard let failure else {
                state.failures = 0
                if !state.current.isReachable { change(to: .reachable(since: Date()), &state) }
                return
            }
            state.failures += 1
            guard state.failures >= policy.failures else { return }
            if case .unreachable(_, failure) = state.current { return }
            var since = Date()
            if case .unreachable(let before, _) = state.current { since = before }
            change(to: .unreachable(since: since, failure), &state)
            if policy.probePath != nil, state.probing == nil {
                let isUnreachable: @Sendable () -> Bool = { [weak self] in
                    self?.isUnreachable ?? false
                }
                state.probing = Task { [policy, clock] in
                    await Self.repeatProbe(probe, policy, clock, while: isUnreachable)
                }
            }
        }
    }

    /// Ends the streams and the probes.
    func finish() {
        let probing = state.withLock { $0.probing }
        probing?.cancel()
        broadcast.finish()
    }

    private var isUnreachable: Bool {
        if case .unreachable = current { return true }
        return false
    }

    // Called with the lock held, so that listeners see changes in their order.
    private func change(to next: Reachability, _ state: inout State) {
        guard state.current != next else { return }
        state.current = next
        if case .unreachable = next {
        } else {
            state.probing?.cancel()
            state.probing = nil
        }
        broadcast.publish(next)
    }

    private static func repeatProbe(
        _ probe: @Sendable () async -> Void, _ policy: ReachabilityPolicy, _ clock: ServiceClock,
        while isUnreachable: @Sendable () -> Bool
    ) async {
        var delay = policy.probeDelay
        while isUnreachable() {
            guard (try? await clock.sleep(until: clock.now + delay)) != nil else { return }
            await probe()
            delay = min(delay * 2, policy.maximumProbeDelay)
        }
    }
}
#endif
