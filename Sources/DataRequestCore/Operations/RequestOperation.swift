#if RequestCore
import Locks
import Synchronization

/// One call from its admission to the end of its body, as the table of the service knows it.
///
/// Whatever ends it early, the caller's task, a token, a limit of time, a switch of the
/// environment or a shutdown, does so by ``stop(_:)``: the first reason wins, the caller has the
/// error at once, and the task that does the work is cancelled, whether it heeds that or not.
final class RequestOperation: Sendable {
    private struct State {
        var stop: StopReason?
        var hasEnded = false
        var task: Task<Void, Never>?
        /// Tells the caller of an early end.
        var fail: (@Sendable (any Error) -> Void)?
        /// The limit that is running besides the total, and when it passes.
        var limit: (TimeLimit, passes: Duration)?
        /// The request as the preparation left it.
        var request: DataRequest
        var progress = AttemptProgress()
        /// Whether the head of an answer is waited for, so that sending a body starts limits.
        var isSending = false
        /// Its place in the token of the caller.
        var link: RequestToken.Link?
    }

    /// The place in the service's table.
    let slot: Int
    /// The environment that was current at admission; it is kept to the end.
    let environment: EnvironmentRuntime
    /// When the call was admitted, by the service's clock.
    let started: Duration
    /// How the call is to be treated.
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

    /// What was asked, without secrets, for messages.
    var subject: String { request.subject(in: environment) }

    /// What the operation is called in reports: its name, or else what was asked.
    var label: String { options.name ?? subject }

    /// The request, as the preparation left it.
    var request: DataRequest { state.withLock { $0.request } }

    func prepared(_ request: DataRequest) { state.withLock { $0.request = request } }

    /// What was done so far to have the answer.
    var progress: AttemptProgress { state.withLock { $0.progress } }

    func advance<Value: Sendable>(
        _ change: @Sendable (inout AttemptProgress) -> Value
    ) -> Value {
        state.withLock { change(&$0.progress) }
    }

    /// Says whom to tell of an early end, and whether there is still something to do.
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

    /// Remembers the task that does the work, and cancels it if the end came first.
    func attach(_ task: Task<Void, Never>) {
        let isStopped = state.withLock {
            guard !$0.hasEnded else { return false }
            $0.task = task
            return $0.stop != nil
        }
        if isStopped { task.cancel() }
    }

    /// Ends the operation early, unless it has ended or was stopped before; says whether it did.
    @discardableResult
    func stop(_ reason: StopReason) -> Bool {
        let (isFirst, fail, task) = state.withLock {
            state -> (Bool, (@Sendable (any Error) -> Void)?, Task<Void, Never>?) in
            guard !state.hasEnded, state.stop == nil else { return (false, nil, nil) }
            state.stop = reason
            return (true, state.fail, state.task)
        }
        guard isFirst else { return false }
        fail?(reason.error(for: subject))
        task?.cancel()
        return true
    }

    /// Whether it was stopped because no answer began in time.
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

    /// Lets go of the task and the caller; nothing stops the operation any more.
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
    /// Starts a limit of time in the place of the one that runs, or none.
    func start(_ limit: TimeLimit?) {
        let running = running(limit)
        state.withLock { if !$0.hasEnded { $0.limit = running } }
    }

    private func running(_ limit: TimeLimit?) -> (TimeLimit, passes: Duration)? {
        switch limit {
        case .response(let duration), .idle(let duration):
            limit.map { ($0, clock.now + duration) }
        case .total, nil: nil
        }
    }

    /// Starts the limit for the head of an answer.
    func beginSending() {
        state.withLock { $0.isSending = true }
        start(options.timeLimits.response.map(TimeLimit.response))
    }

    /// Ends what ``beginSending()`` began, as the head is there or will not come.
    func endSending() {
        state.withLock { $0.isSending = false }
        start(nil)
    }

    /// Stops the limit for the head of an answer while the request waits for a connection, and
    /// restarts it when the request is sent.
    func passWaiting(_ isWaiting: Bool) {
        let running = isWaiting ? nil : running(options.timeLimits.response.map(TimeLimit.response))
        state.withLock { if $0.isSending { $0.limit = running } }
    }

    /// Starts the limit for the next piece of the body that is sent, or after the last one that
    /// for the head; a body that is still sent after the answer began is bound by none.
    func passUpload(isLast: Bool) {
        let limits = options.timeLimits
        let running = running(
            isLast ? limits.response.map(TimeLimit.response) : limits.idle.map(TimeLimit.idle))
        state.withLock { if $0.isSending { $0.limit = running } }
    }

    /// Starts the limit between pieces of a body.
    func startIdleLimit() { start(options.timeLimits.idle.map(TimeLimit.idle)) }

    /// When the whole has to be done; nil for never.
    var totalDeadline: Duration? { options.timeLimits.total.map { started + $0 } }

    /// The earliest time at which any limit that starts at a time or later can pass.
    ///
    /// As it is a lower bound, a limit that starts never has to be told to the keeper of deadlines:
    /// this is what makes limits between pieces cheap.
    func earliestLimit(from now: Duration) -> Duration? {
        let limits = options.timeLimits
        let next = [limits.response, limits.idle].compactMap { $0 }.min().map { now + $0 }
        return [next, totalDeadline].compactMap { $0 }.min()
    }

    /// The limit that has passed, or when to ask again.
    func passedLimit(at now: Duration) -> (limit: TimeLimit?, again: Duration?) {
        if let total = options.timeLimits.total, started + total <= now {
            return (.total(total), nil)
        }
        let running = state.withLock { $0.limit }
        if let (limit, passes) = running, passes <= now { return (limit, nil) }
        // The limit that runs may end early, and a shorter one begin.
        return (nil, [running?.passes, earliestLimit(from: now)].compactMap { $0 }.min())
    }
}
#endif
