#if RequestCore
/// When calls to a failing host are suspended.
///
/// ```swift
/// configuration.circuitBreaker = CircuitBreakerPolicy(failures: 5, coolDown: .seconds(10))
/// ```
///
/// After ``failures`` failures in a row, calls to the host fail at once with `circuitOpen`.
/// Failures are connections that fail or are lost, response limits that pass, and 5xx. After
/// the cool-down one call is let through. If it succeeds, all calls pass again; if not, the
/// next cool-down begins. Other responses, 4xx included, are successes here: the host answers.
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

/// The state of one host's circuit, without any waiting.
struct CircuitBreaker: Sendable {
    private enum State {
        /// All pass. Exits: `open` after enough failures in a row.
        case closed(failures: Int)
        /// None pass until the time. Exits: `halfOpen` with the first call after it.
        case open(until: Duration)
        /// One call is in flight, and no other passes for a cool-down.
        ///
        /// Exits: `closed`, `open`, by that call.
        case halfOpen(since: Duration)
    }

    enum Outcome { case success, failure, unknown }

    private let policy: CircuitBreakerPolicy
    private var state = State.closed(failures: 0)

    init(_ policy: CircuitBreakerPolicy) { self.policy = policy }

    /// Whether there is nothing recorded about the host.
    var isPristine: Bool {
        if case .closed(0) = state { return true }
        return false
    }

    /// Admits a call by returning nil, or returns how long the circuit stays open.
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
            // The previous call has not ended; another one may probe the host.
            state = .halfOpen(since: now)
            return nil
        }
    }

    /// Records the outcome of a call that was let through.
    mutating func record(_ outcome: Outcome, at now: Duration) {
        switch (state, outcome) {
        case (.closed(let failures), .failure):
            state =
                failures + 1 >= policy.failures
                ? .open(until: now + policy.coolDown)
                : .closed(failures: failures + 1)
        case (.closed, .success), (.halfOpen, .success): state = .closed(failures: 0)
        case (.halfOpen, .failure): state = .open(until: now + policy.coolDown)
        // A cancelled probe has no outcome: the next call is the probe.
        case (.halfOpen, .unknown): state = .open(until: now)
        // Calls that were let through before it opened.
        case (.open, _), (.closed, .unknown): break
        }
    }
}
#endif
