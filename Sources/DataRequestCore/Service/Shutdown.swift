#if RequestCore
import Locks
import Synchronization

/// The one shutdown of a service, which all calls of `shutDown` share.
final class Shutdown: Sendable {
    private struct State {
        var task: Task<ShutdownReport, Never>?
        var cancelled: [String] = []
        /// Whether everything in flight was cancelled already, so that no deadline is waited for.
        var isHurried = false
        var hurry: (@Sendable () -> Void)?
    }

    private let state = Lock(State())

    /// The shutdown that runs or is over, begun by the closure if there was none.
    func run(_ begin: @escaping @Sendable () async -> ShutdownReport) async -> ShutdownReport {
        let shared = state.withLock { state in
            if let task = state.task { return task }
            let new = Task { await begin() }
            state.task = new
            return new
        }
        return await shared.value
    }

    /// The labels of what was cancelled so far.
    var cancelled: [String] { state.withLock { $0.cancelled } }

    func noteCancelled(_ label: String) { state.withLock { $0.cancelled.append(label) } }

    /// Waits for no deadline any more.
    func hurry() {
        let hurry = state.withLock {
            $0.isHurried = true
            return $0.hurry
        }
        hurry?()
    }

    /// Calls the closure when the deadline is not to be waited for, at once if that is known.
    func onHurry(_ hurry: @escaping @Sendable () -> Void) {
        let isHurried = state.withLock {
            $0.hurry = hurry
            return $0.isHurried
        }
        if isHurried { hurry() }
    }
}

/// What a shutdown found and did.
public struct ShutdownReport: Sendable {
    /// How many calls were in flight when it began and came to their end.
    public var finished: Int
    /// The names of those that were cancelled at the deadline, or their methods and paths where
    /// they have no name.
    public var cancelled: [String]
    /// What a transport reported of its end, if it failed.
    public var failure: (any Error)?

    /// Makes a report, for tests of code that takes one.
    public init(finished: Int = 0, cancelled: [String] = [], failure: (any Error)? = nil) {
        self.finished = finished
        self.cancelled = cancelled
        self.failure = failure
    }
}
#endif
