#if Lifecycle
internal import SkiathosLocks
internal import Logging
internal import SkiathosCore
internal import Synchronization

/// Flushes stores on request, all of them at the same time; requests during a flush share the next.
final class StoreFlusher: Sendable {
    private let stores: [DataAccessLayer]
    private let logger: Logger
    /// Guarded by the lock; with the flush that was begun last, which may have ended.
    private let state = Lock((FlushState.idle, flush: Task<Void, Never>?.none))

    init(_ stores: [DataAccessLayer], logger: Logger) {
        self.stores = stores
        self.logger = logger
    }

    /// Has the stores flushed, and does not wait for it.
    func request() {
        state.withLock { state in
            guard state.0.request() else { return }
            state.flush = Task(executorPreference: ShutdownExecutor.shared) {
                repeat { await self.flushAll() } while self.state.withLock { $0.0.flushEnded() }
            }
        }
    }

    /// Ignores further requests, and gives up a flush that waits for its turn: shutting the stores
    /// down flushes them.
    func end() {
        let flush = state.withLock { state in
            state.0 = .over
            return state.flush
        }
        flush?.cancel()
    }

    private func flushAll() async {
        await withTaskGroup { group in
            for dal in stores {
                group.addTask { await self.flush(dal) }
            }
        }
    }

    private func flush(_ dal: DataAccessLayer) async {
        do {
            try await dal.flush()
        } catch is CancellationError {
            // Given up for the shutdown.
        } catch {
            logger.error(
                "The store could not be flushed: \(error)",
                metadata: ["skiathos.store": "\(dal.label)"])
        }
    }
}
#endif
