#if RequestCore
import SkiathosLocks
import Synchronization

/// The one shutdown of a service, which all calls of `shutDown` share.
final class Shutdown: Sendable {
    private struct State {
        var task: Task<ShutdownReport, Never>?
        var cancelled: [String] = []
        /// Whether all calls in flight were already cancelled, so that the shutdown waits for
        /// no deadline.
        var isHurried = false
        var hurry: (@Sendable () -> Void)?
    }

    private let state = Lock(State())

    /// Starts the shutdown if there was none; waits for it and returns its report.
    func run(_ begin: @escaping @Sendable () async -> ShutdownReport) async -> ShutdownReport {
        let shared = state.withLock { state in
            if let task = state.task { return task }
            let new = Task { await begin() }
            state.task = new
            return new
        }
        return await shared.value
    }

    /// The labels of the calls cancelled so far.
    var cancelled: [String] { state.withLock { $0.cancelled } }

    func noteCancelled(_ label: String) { state.withLock { $0.cancelled.append(label) } }

    /// Ends the wait for the deadline.
    func hurry() {
        let hurry = state.withLock {
            $0.isHurried = true
            return $0.hurry
        }
        hurry?()
    }

    /// Calls the closure when the wait for the deadline is ended; at once if it already is.
    func onHurry(_ hurry: @escaping @Sendable () -> Void) {
        let isHurried = state.withLock {
            $0.hurry = hurry
            return $0.isHurried
        }
        if isHurried { hurry() }
    }
}

/// The report of a shutdown.
public struct ShutdownReport: Sendable {
    /// How many calls were in flight when it began and have finished.
    public var finished: Int
    /// The names of the calls cancelled at the deadline, or their methods and paths where they
    /// have no name.
    public var cancelled: [String]
    /// The error of a transport's shutdown, if it failed.
    public var failure: (any Error)?

    /// Makes a report, for tests of code that takes one.
    public init(finished: Int = 0, cancelled: [String] = [], failure: (any Error)? = nil) {
        self.finished = finished
        self.cancelled = cancelled
        self.failure = failure
    }
}
#endif
