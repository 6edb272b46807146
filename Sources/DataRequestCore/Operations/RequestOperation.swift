#if RequestCore
import SkiathosLocks
import Synchronization

/// One call in the table of the service, from its admission to the end of its body.
///
/// The caller's task, a token, a time limit, a switch of the environment or a shutdown can end
/// it early, always by ``stop(_:)``. The first reason wins. The caller gets the error at once,
/// and the working task is cancelled, whether or not it reacts to that.
final class RequestOperation: Sendable {
    private struct State {
        var stop: StopReason?
        var hasEnded = false
        var task: Task<Void, Never>?
        /// Fails the call at an early end.
        var fail: (@Sendable (any Error) -> Void)?
        /// The running limit besides the total, and when it passes.
        var limit: (TimeLimit, passes: Duration)?
        /// The request as the preparation left it.
        var request: DataRequest
        var progress = AttemptProgress()
        /// Whether the operation waits for the head of a response, so that sending a body
        /// starts limits.
        var isSending = false
        /// Its link in the token of the caller.
        var link: RequestToken.Link?
    }

    /// The slot in the service's table.
    let slot: Int
    /// The environment that was current at admission; used to the end.
    let environment: EnvironmentRuntime
    /// When the call was admitted, by the service's clock.
    let started: Duration
    /// The options of the call.
    let options: RequestOptions
    private let clock: ServiceClock
    private let state: Lock<State>

    init(
        _ request: DataRequest, slot: Int, environment: EnvironmentRuntime, clock: ServiceClock,
        started: Duration
    ) {
        self.slot = slot
        self.environment = environment
        self.clock = clock
        self.started = started
        options = request.options
        state = Lock(State(request: request))
    }

    /// The method and address without secrets, for messages.
    var subject: String { request.subject(in: environment) }

    /// The label in reports: the name, or else the subject.
    var label: String { options.name ?? subject }

    /// The request, as the preparation left it.
    var request: DataRequest { state.withLock { $0.request } }

    func prepared(_ request: DataRequest) { state.withLock { $0.request = request } }

    /// The attempts and waits so far.
    var progress: AttemptProgress { state.withLock { $0.progress } }

    func advance<Value: Sendable>(
        _ change: @Sendable (inout AttemptProgress) -> Value
    ) -> Value {
        state.withLock { change(&$0.progress) }
    }

    /// Sets the handler of an early end; returns whether the operation is still to be run.
    func begin(_ fail: @escaping @Sendable (any Error) -> Void) -> Bool {
        let stop: StopReason? = state.withLock {
            guard $0.stop == nil else { return $0.stop }
            $0.fail = fail
            return nil
        }
        guard let stop else { return true }
        fail(stop.error(for: subject))
        return false
    }

    /// Stores the working task, and cancels it if the operation has already ended.
    func attach(_ task: Task<Void, Never>) {
        let isStopped = state.withLock {
            guard !$0.hasEnded else { return false }
            $0.task = task
            return $0.stop != nil
        }
        if isStopped { task.cancel() }
    }

    /// Stops the operation, unless it has ended or was stopped before; returns whether it did.
    ///
    /// - Parameter record: Called if it is stopped, before anything can see that it has ended, and
    ///   with its lock held.
    @discardableResult
    func stop(_ reason: StopReason, recording record: () -> Void = {}) -> Bool {
        let (isFirst, fail, task) = state.withLock {
            state -> (Bool, (@Sendable (any Error) -> Void)?, Task<Void, Never>?) in
            guard !state.hasEnded, state.stop == nil else { return (false, nil, nil) }
            state.stop = reason
            record()
            return (true, state.fail, state.task)
        }
        guard isFirst else { return false }
        fail?(reason.error(for: subject))
        task?.cancel()
        return true
    }

    /// Whether it was stopped because no response began in time.
    var wasTooSlow: Bool {
        guard case .timedOut(.response) = state.withLock({ $0.stop }) else { return false }
        return true
    }

    /// The reason of an early end, if there was one.
    var stopReason: StopReason? { state.withLock { $0.stop } }

    /// Lets the caller's token stop the operation.
    func follow(_ token: RequestToken) {
        let link = token.onCancel { [weak self] in self?.stop(.tokenCancelled) }
        let hasEnded = state.withLock {
            if !$0.hasEnded { $0.link = link }
            return $0.hasEnded
        }
        if hasEnded { token.forget(link) }
    }

    /// Releases the task and the caller's handler; the operation cannot be stopped any more.
    func end() {
        let link = state.withLock {
            $0.hasEnded = true
            $0.isSending = false
            $0.task = nil
            $0.fail = nil
            $0.limit = nil
            return $0.link
        }
        if let link { options.token?.forget(link) }
    }
}

extension RequestOperation {
    /// Starts a time limit in place of the running one, or none.
    ///
    /// One that is not above zero passes at once and stops the operation.
    func start(_ limit: TimeLimit?) { start(limit, whileSending: false) }

    private func start(_ limit: TimeLimit?, whileSending: Bool) {
        let running = running(limit)
        let hasStarted = state.withLock {
            guard !$0.hasEnded, $0.isSending || !whileSending else { return false }
            $0.limit = running
            return true
        }
        if hasStarted, let limit, limit.passesAtOnce { stop(.timedOut(limit)) }
    }

    private func running(_ limit: TimeLimit?) -> (TimeLimit, passes: Duration)? {
        switch limit {
        case .response(let duration), .idle(let duration):
            limit.map { ($0, clock.now + duration) }
        case .total, nil: nil
        }
    }

    /// Starts the limit for the head of a response.
    func beginSending() {
        state.withLock { $0.isSending = true }
        start(options.timeLimits.response.map(TimeLimit.response))
    }

    /// Ends the limit of ``beginSending()``: the head has arrived or will not come.
    func endSending() {
        state.withLock { $0.isSending = false }
        start(nil)
    }

    /// Stops the limit for the head while the request waits for a connection; restarts it when
    /// the request is sent.
    func passWaiting(_ isWaiting: Bool) {
        let limit = isWaiting ? nil : options.timeLimits.response.map(TimeLimit.response)
        start(limit, whileSending: true)
    }

    /// Starts the limit for the next piece of the request body; after the last piece, the
    /// limit for the head.
    ///
    /// A body that is still sent after the response began has no limit.
    func passUpload(isLast: Bool) {
        let limits = options.timeLimits
        let limit =
            isLast ? limits.response.map(TimeLimit.response) : limits.idle.map(TimeLimit.idle)
        start(limit, whileSending: true)
    }

    /// Starts the limit between pieces of a body.
    func startIdleLimit() { start(options.timeLimits.idle.map(TimeLimit.idle)) }

    /// The deadline of the whole call; nil for none.
    var totalDeadline: Duration? { options.timeLimits.total.map { started + $0 } }

    /// The earliest time at which any limit that starts at a time or later can pass.
    ///
    /// Since this is a lower bound, the registry need not be notified when a limit starts.
    /// This makes limits between pieces cheap. Limits that pass when they start are left out,
    /// since ``start(_:)`` reports them.
    func earliestLimit(from now: Duration) -> Duration? {
        let next = options.timeLimits.shortestPart.map { now + $0 }
        return [next, totalDeadline].compactMap { $0 }.min()
    }

    /// The limit that has passed, or when to check again, which is always later than `now`.
    func passedLimit(at now: Duration) -> (limit: TimeLimit?, again: Duration?) {
        if let total = options.timeLimits.total, started + total <= now {
            return (.total(total), nil)
        }
        let running = state.withLock { $0.limit }
        if let (limit, passes) = running, passes <= now { return (limit, nil) }
        // The running limit may end early, and a shorter one begin.
        return (nil, [running?.passes, earliestLimit(from: now)].compactMap { $0 }.min())
    }
}
#endif
