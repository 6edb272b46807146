import SkiathosLocks
import Synchronization

/// Who reads the value of an observed query, and who waits for it.
///
/// One of the observers that wait reads for all. It hands that role on if its task is cancelled.
/// Apart from the query, so that an observer that waits keeps no value, and no frame whose size
/// depends on the type of one.
final class LiveTurns: Sendable {
    /// What an observer does next.
    enum Turn: Sendable {
        /// Take the last value.
        case take
        /// Read, for all observers, a value that contains a commit.
        case read(UInt64)
        /// Look again: what it waited for has changed.
        case look
        case end
    }

    private enum Phase {
        /// A read is needed, and none is under way.
        case outdated
        /// An observer reads.
        case reading
        /// The value is that of the store, as far as observers were notified of commits.
        case current
        /// The last read has failed; the next change leads to another one.
        case failed
        /// The store is closed.
        case ended
    }

    private struct Waiter {
        let id: Int
        /// The number of the value that the observer has; 0 for none.
        let seen: Int
        /// The last commit before the call, which a value that this observer reads has to contain.
        let commit: UInt64
        /// The commit that a value read for another observer has to contain; 0 for any value that
        /// follows on another.
        let minimum: UInt64
        let continuation: Continuation<Turn, Never>

        /// Has the observer read.
        func read() { continuation.resume(returning: .read(commit)) }
    }

    private struct State {
        var phase = Phase.outdated
        /// The number of the last value; 0 until a read has succeeded.
        var number = 0
        /// The commit that the last value contains, and those before.
        var contains: UInt64 = 0
        /// The last commit that observers were notified of while a read was under way.
        var lastChange: UInt64 = 0
        var waiters: [Waiter] = []
        var lastID = 0

        /// Takes the waiters that a condition holds for.
        mutating func take(where isDue: (Waiter) -> Bool) -> [Waiter] {
            let due = waiters.filter(isDue)
            if !due.isEmpty { waiters.removeAll(where: isDue) }
            return due
        }

        /// Has a waiter read, if one waits.
        mutating func handOver() -> Waiter? {
            guard phase == .outdated, !waiters.isEmpty else { return nil }
            phase = .reading
            return waiters.removeFirst()
        }
    }

    /// Never held while other code is called.
    private let state = Lock(State())

    var isEnded: Bool { state.withLock { $0.phase == .ended } }

    /// Waits for what an observer does next.
    ///
    /// - Parameter seen: The number of the value that it has; 0 for none.
    func next(after seen: Int, _ notifier: CommitNotifier) async -> Turn {
        let minimum = notifier.commitNumber
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await withContinuation { continuation in
                let turn = state.withLock { state -> Turn? in
                    // Cancelled before the handler could find the waiter.
                    if Task.isCancelled { return .end }
                    if let turn = Self.immediateTurn(after: seen, minimum, notifier, &state) {
                        return turn
                    }
                    state.waiters.append(
                        Waiter(
                            id: id, seen: seen, commit: minimum, minimum: seen == 0 ? minimum : 0,
                            continuation: continuation))
                    return nil
                }
                if let turn { continuation.resume(returning: turn) }
            }
        } onCancel: {
            let waiter = state.withLock { state in state.take { $0.id == id }.first }
            waiter?.continuation.resume(returning: .end)
        }
    }

    /// What an observer can do without waiting; `nil` if it has to wait.
    private static func immediateTurn(
        after seen: Int, _ minimum: UInt64, _ notifier: CommitNotifier, _ state: inout State
    ) -> Turn? {
        switch state.phase {
        case .ended: return seen == 0 ? .read(minimum) : .end
        case .reading: return nil
        case .outdated: break
        case .failed: if seen > 0 { return nil }
        case .current:
            guard state.number > seen else { return nil }
            // Else a commit before the call may have changed it.
            if state.contains >= minimum || notifier.isCaughtUp { return .take }
        }
        state.phase = .reading
        return .read(minimum)
    }

    /// A batch has changed rows that matter to the query, or may have.
    func committed(_ number: UInt64) {
        let reader = state.withLock { state -> Waiter? in
            switch state.phase {
            case .reading: state.lastChange = number
            case .current, .failed: if number > state.contains { state.phase = .outdated }
            case .outdated, .ended: break
            }
            return state.handOver()
        }
        reader?.read()
    }

    /// The store was closed.
    func end() {
        let waiters = state.withLock { state in
            state.phase = .ended
            return state.take { _ in true }
        }
        for waiter in waiters { waiter.continuation.resume(returning: .end) }
    }
}

/// The end of a read, by the observer that reads.
extension LiveTurns {
    /// The read has succeeded, or the value was computed; it is kept by now.
    ///
    /// - Parameters:
    ///   - number: The number of the value, which is that of the last one if it is the same.
    ///   - start: The commit that the read has seen.
    ///   - isOutdated: Whether a commit may have changed it meanwhile.
    func succeeded(with number: Int, at start: UInt64, isOutdated: Bool) {
        let (due, others, reader) = state.withLock { state in
            state.number = number
            state.contains = start
            if state.phase == .reading {
                state.phase = isOutdated || state.lastChange > start ? .outdated : .current
            }
            let due = state.take { $0.seen < number && $0.minimum <= start }
            let reader = state.handOver()
            let others = reader == nil ? state.take { $0.seen == 0 } : []
            return (due, others, reader)
        }
        for waiter in due { waiter.continuation.resume(returning: .take) }
        for waiter in others { waiter.continuation.resume(returning: .look) }
        reader?.read()
    }

    /// The read has failed, and the last value stays.
    ///
    /// - Parameters:
    ///   - start: The commit that the read would have seen.
    ///   - isDue: Whether another read is needed without another change.
    func failed(at start: UInt64, isDue: Bool) {
        let (others, reader) = state.withLock { state in
            if state.phase == .reading {
                state.phase = isDue || state.lastChange > start ? .outdated : .failed
            }
            let reader = state.handOver()
            // Those without a value read for themselves.
            return (reader == nil ? state.take { $0.seen == 0 } : [], reader)
        }
        for waiter in others { waiter.continuation.resume(returning: .look) }
        reader?.read()
    }
}
