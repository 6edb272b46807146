#if RequestCore
/// When a host that does not answer is left alone for a while.
///
/// ```swift
/// configuration.circuitBreaker = CircuitBreakerPolicy(failures: 5, coolDown: .seconds(10))
/// ```
///
/// After so many failures in a row, connections that fail or are lost, limits for an answer that
/// pass, and 5xx, calls to the host fail at once with `circuitOpen`. After the cool-down one call
/// is let through: if it succeeds all are again, if not the next cool-down begins. Other answers,
/// 4xx included, are successes here: the host is there.
public struct CircuitBreakerPolicy: Sendable, Hashable {
    /// How many failures in a row open the circuit, at least 1.
    public var failures: Int
    /// How long the circuit stays open before a call is let through.
    public var coolDown: Duration

    /// Makes a policy.
    public init(failures: Int = 5, coolDown: Duration = .seconds(10)) {
        self.failures = failures
        self.coolDown = coolDown
    }
}

/// The state of one host's circuit; decides, and waits for nothing.
struct CircuitBreaker: Sendable {
    private enum State {
        /// All pass. Exits: `open` after enough failures in a row.
        case closed(failures: Int)
        /// None pass until the time. Exits: `halfOpen` with the first call after it.
        case open(until: Duration)
        /// One call is on its way, and none else passes for a cool-down. Exits: `closed`, `open`,
        /// by that call.
        case halfOpen(since: Duration)
    }

    enum Outcome { case success, failure, unknown }

    private let policy: CircuitBreakerPolicy
    private var state = State.closed(failures: 0)

    init(_ policy: CircuitBreakerPolicy) { self.policy = policy }

    /// Whether nothing is remembered of the host.
    var isPristine: Bool {
        if case .closed(0) = state { return true }
        return false
    }

    /// Lets a call pass, or says how long to stay away.
    mutating func admit(at now: Duration) -> Duration? {
        switch state {
        case .closed: return nil
        case .open(let until) where now < until: return until - now
        case .open:
            state = .halfOpen(since: now)
            return nil
        case .halfOpen(let since) where now < since + policy.coolDown:
            return since + policy.coolDown - now
        case .halfOpen:
            // The call before has not come back; the host is not given up for its sake.
            state = .halfOpen(since: now)
            return nil
        }
    }

    /// Takes note of how a call that was let through ended.
    mutating func note(_ outcome: Outcome, at now: Duration) {
        switch (state, outcome) {
        case (.closed(let failures), .failure):
            state =
                failures + 1 >= policy.failures
                ? .open(until: now + policy.coolDown)
                : .closed(failures: failures + 1)
        case (.closed, .success), (.halfOpen, .success): state = .closed(failures: 0)
        case (.halfOpen, .failure): state = .open(until: now + policy.coolDown)
        // A probe that was cancelled tells nothing: the next call is one.
        case (.halfOpen, .unknown): state = .open(until: now)
        // Calls that were let through before it opened.
        case (.open, _), (.closed, .unknown): break
        }
    }
}
#endif
