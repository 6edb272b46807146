import Locks
import SkiathosStore
import Synchronization

/// The value of a read that observers keep up to date; all of them share each read.
///
/// One of the observers that wait reads for all. It hands that role on if its task is cancelled.
final class LiveQuery<Value: Sendable>: AnyLiveQuery {
    /// A value that an observer was given, by its number: later values have greater ones.
    struct Given {
        let value: Value
        let number: Int
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

    /// What an observer does next.
    private enum Turn {
        case give(Given)
        /// Read, for all observers.
        case read
        /// Look again: what it waited for has changed.
        case look
        case end
    }

    private struct Waiter {
        let id: Int
        /// The number of the value that the observer has; 0 for none.
        let seen: Int
        /// The commit that a first value has to contain.
        let minimum: UInt64
        let continuation: CheckedContinuation<Turn, Never>
    }

    private struct State {
        var phase = Phase.outdated
        /// The last value; `nil` until a read has succeeded.
        var given: Given?
        /// The commit that the last value contains, and those before.
        var contains: UInt64 = 0
        /// The commit that the read under way sees.
        var start: UInt64 = 0
        /// Whether a commit since the beginning of the read may change its value.
        var isReadOutdated = false
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
            isReadOutdated = false
            return waiters.removeFirst()
        }
    }

    /// Never held while other code is called.
    private let state = Lock(State())
    /// The observers that pause between two values.
    let pauses = Pauses()
    private let coordinator: AccessCoordinator
    private let place: SourcePlace
    private let query: @Sendable (ReadContext) throws -> Value
    private let areEqual: (@Sendable (Value, Value) -> Bool)?

    init(
        _ coordinator: AccessCoordinator, _ place: SourcePlace,
        areEqual: (@Sendable (Value, Value) -> Bool)?,
        _ query: @escaping @Sendable (ReadContext) throws -> Value
    ) {
        self.coordinator = coordinator
        self.place = place
        self.areEqual = areEqual
        self.query = query
    }

    var needsRows: Bool { false }

    /// The next value after the one that an observer has; `nil` if the store was closed or the task
    /// cancelled.
    ///
    /// - Parameter seen: The number of that value; 0 for none.
    /// - Throws: the error of a first read.
    func next(after seen: Int) async throws -> Given? {
        while true {
            switch await turn(after: seen) {
            case .give(let given): return given
            case .end: return nil
            case .look: continue
            case .read:
                if let given = try await read(after: seen) { return given }
                if Task.isCancelled || state.withLock({ $0.phase == .ended }) { return nil }
            }
        }
    }

    func committed(_ changes: BatchChanges) {
        let reader = state.withLock { state -> Waiter? in
            switch state.phase {
            case .reading:
                if changes.number > state.start { state.isReadOutdated = true }
            case .current, .failed:
                if changes.number > state.contains { state.phase = .outdated }
            case .outdated, .ended: break
            }
            return state.handOver()
        }
        reader?.continuation.resume(returning: .read)
    }

    func end() {
        let waiters = state.withLock { state in
            state.phase = .ended
            return state.take { _ in true }
        }
        for waiter in waiters { waiter.continuation.resume(returning: .end) }
        pauses.end()
    }
}

extension LiveQuery {
    private func turn(after seen: Int) async -> Turn {
        let minimum = coordinator.main.observers.commitNumber
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let turn = state.withLock { state -> Turn? in
                    // Cancelled before the handler could find the waiter.
                    if Task.isCancelled { return .end }
                    if let turn = immediateTurn(after: seen, minimum, &state) { return turn }
                    state.waiters.append(
                        Waiter(
                            id: id, seen: seen, minimum: seen == 0 ? minimum : 0,
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
    private func immediateTurn(
        after seen: Int, _ minimum: UInt64, _ state: inout State
    ) -> Turn? {
        switch state.phase {
        case .ended: return seen == 0 ? .read : .end
        case .reading: return nil
        case .outdated: break
        case .failed: if seen > 0 { return nil }
        case .current:
            guard let given = state.given, given.number > seen else { return nil }
            // Else a commit before the call may have changed it.
            if isCaughtUp(minimum, state) { return .give(given) }
        }
        state.phase = .reading
        state.isReadOutdated = false
        return .read
    }

    /// Whether the last value contains all that was committed before a call.
    private func isCaughtUp(_ minimum: UInt64, _ state: State) -> Bool {
        state.contains >= minimum || coordinator.main.observers.isCaughtUp
    }

    /// Reads for all observers; returns the value if it is another one than the observer has.
    private func read(after seen: Int) async throws -> Given? {
        let notifier = coordinator.main.observers
        let start = notifier.live.beginRead(notifier)
        state.withLock { $0.start = start }
        let tracker = ReadTracker()
        let result: Result<Value, any Error>
        do {
            let value = try await coordinator.read(place) { [query] context in
                context.track(tracker)
                return try query(context)
            }
            result = .success(value)
        } catch {
            result = .failure(error)
        }
        let isOutdated = endRead(start, tracker, result)
        switch result {
        case .success(let value): return finish(value, start, isOutdated, after: seen)
        case .failure(let error):
            try fail(error, isOutdated, after: seen)
            return nil
        }
    }

    /// Observes what was read; returns whether a commit may have changed it meanwhile.
    private func endRead(
        _ start: UInt64, _ tracker: ReadTracker, _ result: Result<Value, any Error>
    ) -> Bool {
        let notifier = coordinator.main.observers
        let ended = notifier.live.endRead(
            self, start, tracker.dependencies(in: coordinator.store.schema),
            isComplete: (try? result.get()) != nil, notifier)
        guard ended.hasNewEntities else { return ended.isOutdated }
        // Writes that were merged before were not recorded for these.
        coordinator.commits.ifBatchIsOpen { notifier.live.expectBatch(self, notifier) }
        return ended.isOutdated || notifier.commitNumber > start
    }

    private func finish(
        _ value: Value, _ start: UInt64, _ isOutdated: Bool, after seen: Int
    ) -> Given? {
        // Only the observer that reads sets the value.
        let last = state.withLock { $0.given }
        let isSame = last.map { last in areEqual.map { $0(last.value, value) } ?? false } ?? false
        let given = isSame ? last : Given(value: value, number: (last?.number ?? 0) + 1)
        let (due, others, reader) = state.withLock { state in
            state.given = given
            state.contains = start
            if state.phase == .reading {
                state.phase = isOutdated || state.isReadOutdated ? .outdated : .current
            }
            let number = given?.number ?? 0
            let due = state.take { $0.seen < number && $0.minimum <= start }
            let reader = state.handOver()
            let others = reader == nil ? state.take { $0.seen == 0 } : []
            return (due, others, reader)
        }
        if let given {
            for waiter in due { waiter.continuation.resume(returning: .give(given)) }
        }
        for waiter in others { waiter.continuation.resume(returning: .look) }
        reader?.continuation.resume(returning: .read)
        guard let given, given.number > seen else { return nil }
        return given
    }

    private func fail(_ error: any Error, _ isOutdated: Bool, after seen: Int) throws {
        let isCancelled = error is CancellationError && Task.isCancelled
        let isClosed = (error as? DataAccessError)?.code == .closed
        let (others, reader, hasValue) = state.withLock { state in
            if state.phase == .reading {
                let isDue = isCancelled || isOutdated || state.isReadOutdated
                state.phase = isDue ? .outdated : .failed
            }
            let reader = state.handOver()
            // Those without a value read for themselves.
            let others = reader == nil ? state.take { $0.seen == 0 } : []
            return (others, reader, state.given != nil)
        }
        for waiter in others { waiter.continuation.resume(returning: .look) }
        reader?.continuation.resume(returning: .read)
        if isCancelled { return }
        if isClosed {
            if seen == 0 { throw error }
            return
        }
        if hasValue {
            coordinator.reportFailure(BackgroundFailure(operation: .observation, error: error))
        }
        if seen == 0 { throw error }
    }
}
