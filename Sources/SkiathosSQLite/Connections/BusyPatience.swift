import GRDBSQLite
import Locks
import Synchronization

/// How long a connection that writes waits for a lock of another program.
///
/// The first time it waits for long. While the lock stays, waiting as long for each write would hold
/// up all that wait for their turn, and the closing. So further attempts are brief, until a
/// transaction has begun.
final class BusyPatience: Sendable {
    private struct State {
        var full: Duration
        var brief: Duration
        /// When the present wait began.
        var start = ContinuousClock.now
        /// How often a wait was to be ended, and how often when the present one began.
        var interruptions = 0
        var interruptionsBefore = 0
        /// How many waits have begun.
        var waits = 0
    }

    /// Whether the last wait has ended without the lock; looked at by each transaction.
    private let isShort = Atomic(false)
    /// Whether no wait is worth its time any more.
    private let isClosing = Atomic(false)
    private let state = Lock(State(full: .seconds(5), brief: .milliseconds(100)))

    /// How long the next attempt waits.
    var limit: Duration {
        let isBrief =
            isShort.load(ordering: .relaxed) || isClosing.load(ordering: .relaxed)
        return state.withLock { isBrief ? $0.brief : $0.full }
    }

    /// How many waits have begun, for tests that act while one is under way.
    var waits: Int { state.withLock { $0.waits } }

    /// Sets how long the first attempt waits, and how long further ones do.
    func allow(full: Duration, brief: Duration) {
        state.withLock { ($0.full, $0.brief) = (full, brief) }
    }

    /// Has SQLite ask here before it fails with `SQLITE_BUSY`.
    ///
    /// The object must live until ``uninstall(from:)``.
    func install(on handle: OpaquePointer) {
        sqlite3_busy_handler(
            handle,
            { patience, attempts in
                guard let patience else { return 0 }
                let object = Unmanaged<BusyPatience>.fromOpaque(patience).takeUnretainedValue()
                return object.wait(after: Int(attempts)) ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Takes the handler away, before the connection is closed.
    func uninstall(from handle: OpaquePointer) { sqlite3_busy_handler(handle, nil, nil) }

    /// A transaction has begun: the lock is gone.
    func succeeded() {
        if isShort.load(ordering: .relaxed) { isShort.store(false, ordering: .relaxed) }
    }

    /// Further attempts are brief for good.
    func shorten() { isClosing.store(true, ordering: .relaxed) }

    /// Ends a wait that is under way; from any thread.
    func interrupt() { state.withLock { $0.interruptions += 1 } }

    /// Waits a moment before another attempt; tells whether there is to be one.
    private func wait(after attempts: Int) -> Bool {
        let limit = limit
        let left = state.withLock { state -> Duration? in
            if attempts == 0 {
                state.start = .now
                state.interruptionsBefore = state.interruptions
                state.waits += 1
            }
            let left = ContinuousClock.now.duration(to: state.start + limit)
            guard state.interruptions == state.interruptionsBefore else { return nil }
            if left <= .zero { isShort.store(true, ordering: .relaxed) }
            return left > .zero ? left : nil
        }
        guard let left else { return false }
        // Short pauses at first: most locks are held for a moment.
        let pause = min(Double(1 + attempts * 2), 25, left / .milliseconds(1))
        sqlite3_sleep(Int32(max(1, pause)))
        return true
    }
}
