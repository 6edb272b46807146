import GRDBSQLite
import SkiathosLocks
import Synchronization

/// How long a connection that writes waits for a lock of another program.
///
/// The first wait is long. While the lock stays, an equally long wait for each write would
/// delay all queued writes, and the closing. So further attempts are brief, until a
/// transaction has begun.
final class BusyPatience: Sendable {
    private struct State {
        var full: Duration
        var brief: Duration
        /// When the current wait began.
        var start = ContinuousClock.now
        /// How many interruptions there were, and how many when the current wait began.
        var interruptions = 0
        var interruptionsBefore = 0
        /// How many waits have begun.
        var waits = 0
    }

    /// Whether the last wait has ended without the lock; read by each transaction.
    private let isShort = Atomic(false)
    /// Whether the store is closing, so that all waits are brief.
    private let isClosing = Atomic(false)
    private let state = Lock(State(full: .seconds(5), brief: .milliseconds(100)))

    /// How long the next attempt waits.
    var limit: Duration {
        let isBrief =
            isShort.load(ordering: .relaxed) || isClosing.load(ordering: .relaxed)
        return state.withLock { isBrief ? $0.brief : $0.full }
    }

    /// How many waits have begun, for tests that act during one.
    var waits: Int { state.withLock { $0.waits } }

    /// Sets the limits of the first attempt and of further ones.
    func allow(full: Duration, brief: Duration) {
        state.withLock { ($0.full, $0.brief) = (full, brief) }
    }

    /// Installs the busy handler, which SQLite calls before it fails with `SQLITE_BUSY`.
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

    /// Removes the handler, before the connection is closed.
    func uninstall(from handle: OpaquePointer) { sqlite3_busy_handler(handle, nil, nil) }

    /// Records that a transaction has begun, so the lock is released.
    func succeeded() {
        if isShort.load(ordering: .relaxed) { isShort.store(false, ordering: .relaxed) }
    }

    /// Makes all further attempts brief.
    func shorten() { isClosing.store(true, ordering: .relaxed) }

    /// Ends the current wait; from any thread.
    func interrupt() { state.withLock { $0.interruptions += 1 } }

    /// Waits a moment; returns whether to make another attempt.
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
