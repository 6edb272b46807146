import SkiathosLocks
import SkiathosStore
import Synchronization

/// Watches for the commits of other processes for as long as something is observed, and has observers
/// notified of them.
final class OtherProcesses: Sendable {
    private struct State {
        var observerCount = 0
        /// Runs while there are observers.
        var watch: (any CommitWatch)?
        var isEnded = false
    }

    /// Never held while a watch looks, or is ended.
    private let state = Lock(State())
    private let store: any PersistentStore
    private let interval: Duration
    private let report: @Sendable (CommitWatchEvent) -> Void

    /// Creates what watches for a store that other processes may write, or nothing.
    init?(
        _ store: any PersistentStore, _ notifier: CommitNotifier, _ configuration: Configuration
    ) {
        guard store.isReadOnly else { return nil }
        self.store = store
        interval = configuration.commitWatchInterval
        let reportFailure = configuration.errorHandler
        report = { event in
            switch event {
            case .committed: notifier.committedElsewhere()
            case .failed(let error):
                reportFailure(BackgroundFailure(operation: .commitWatch, error: error))
            }
        }
    }

    /// An observer begins: all commits before the call count as committed when this returns, and of
    /// all later ones it will be notified.
    ///
    /// Called before its first read.
    func observerBegins() {
        let watch = state.withLock { state in
            state.observerCount += 1
            if state.watch == nil, !state.isEnded {
                state.watch = store.watchCommits(every: interval, report)
            }
            return state.watch
        }
        watch?.check()
    }

    /// An observer has ended; the last one ends the watch.
    func observerEnded() {
        let watch = state.withLock { state -> (any CommitWatch)? in
            state.observerCount -= 1
            guard state.observerCount == 0 else { return nil }
            defer { state.watch = nil }
            return state.watch
        }
        watch?.end()
    }

    /// Ends the watch, since the store is about to be closed.
    func end() {
        let watch = state.withLock { state in
            state.isEnded = true
            defer { state.watch = nil }
            return state.watch
        }
        watch?.end()
    }
}
