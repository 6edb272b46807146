#if RequestCore
import SkiathosLocks
import SkiathosPlatformFoundation
import SkiathosCore
import Synchronization

extension OfflineQueue {
    /// Checks the store after each event, and delivers due requests.
    func loop() async throws {
        let (signal, waker) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = addWaker(waker)
        defer { state.withLock { _ = $0.wakers.removeValue(forKey: number) } }
        // Begun before the first check, so that no write in between is missed.
        let feed = dal.changes(of: QueuedRequest.self)
        let progress = LoopProgress(waker)
        try await withThrowingTaskGroup(of: Void.self) { group in
            let watching = Task { try await watch(feed) }
            let timer = OneShotTimer(configuration.clock) { [weak self] in self?.wake() }
            defer {
                watching.cancel()
                timer.cancel()
            }
            var signals = signal.makeAsyncIterator()
            while !isStopping {
                try Task.checkCancellation()
                try progress.throwFailure()
                if let isHurried = claimCheck() { try await findDueKeys(isHurried, progress) }
                startDeliveries(&group, progress)
                setTimer(timer, progress)
                _ = await signals.next(isolation: #isolation)
            }
            try await group.waitForAll()
        }
        try Task.checkCancellation()
        try progress.throwFailure()
    }

    /// Registers the stream that wakes a loop, which begins with a check of the store.
    private func addWaker(_ waker: AsyncStream<Void>.Continuation) -> Int {
        state.withLock { state in
            let number = state.number()
            state.wakers[number] = waker
            state.needsCheck = true
            return number
        }
    }

    /// Wakes the loops after commits that concern them, and stops them when the store is closed.
    private func watch(_ feed: ChangeFeed<QueuedRequest>) async throws {
        for try await event in feed { if requiresCheck(event) { wake() } }
        // The store was closed, unless the loop has ended.
        if !Task.isCancelled { beginStopping() }
    }

    /// Claims the check that is due; returns whether it is for all waiting requests, nil if none is
    /// due.
    private func claimCheck() -> Bool? {
        state.withLock { state in
            guard state.needsCheck else { return nil }
            state.needsCheck = false
            defer { state.isHurried = false }
            return state.isHurried
        }
    }

    /// Reads which keys have a first request that is due, and when the next one is.
    private func findDueKeys(_ isHurried: Bool, _ progress: LoopProgress) async throws {
        // Before reading, so that no time that is stored meanwhile gets lost.
        progress.forgetNextAttempt()
        let round = try await beginRound { head in
            let end = waits.end(
                of: head.id, nextAttempt: head.nextAttempt, lastAttempt: head.lastAttempt)
            guard !isHurried, let end else { return true }
            progress.record(nextAttempt: end)
            return false
        }
        progress.replaceKeys(
            with: round.heads.map {
                DueKey(key: $0.key, isHurried: isHurried, newestDurable: round.newestDurable)
            })
    }

    /// Starts as many deliveries as the configuration allows.
    private func startDeliveries(
        _ group: inout ThrowingTaskGroup<Void, any Error>, _ progress: LoopProgress
    ) {
        for due in progress.claimKeys(concurrency: max(1, configuration.maximumConcurrency)) {
            group.addTask { await self.deliver(due, progress) }
        }
    }

    private func deliver(_ due: DueKey, _ progress: LoopProgress) async {
        do {
            try await deliver(due) { outcome in
                if case .postponed(let end) = outcome { progress.record(nextAttempt: end) }
            }
            progress.endDelivery()
        } catch {
            progress.endDelivery(error)
        }
    }

    /// Sets the timer to the earliest next attempt, unless it is set to it already.
    private func setTimer(_ timer: OneShotTimer, _ progress: LoopProgress) {
        guard let time = progress.claimTimer() else { return }
        timer.set(waits.left(until: time))
    }

    /// Whether a commit has added a request to deliver, or has unblocked a key.
    private func requiresCheck(_ event: ChangeFeed<QueuedRequest>.Event) -> Bool {
        guard case .changes(let changes) = event, changes.isComplete else {
            // Events that were missed will not be delivered later.
            state.withLock { $0.removed = [] }
            return true
        }
        let deletedByOthers = state.withLock { state in
            changes.deleted.filter { state.removed.remove($0) == nil }
        }
        return !changes.inserted.isEmpty || !deletedByOthers.isEmpty
            || changes.updated.contains { $0.columns.contains("state") }
    }
}

extension OfflineQueue {
    /// A key whose first request is due.
    struct DueKey: Sendable {
        let key: String
        /// Whether the first request is sent even if it is not due.
        var isHurried: Bool
        /// The newest request that was on the disk when the round began.
        var newestDurable: QueuedRequest.ID?
    }
}

/// State shared by a loop and its deliveries.
private final class LoopProgress: Sendable {
    private struct State {
        /// The keys that wait for their delivery.
        var keys: ArraySlice<OfflineQueue.DueKey> = []
        /// How many keys are being delivered.
        var active = 0
        /// The earliest known time of a next attempt, as `RetryWaits` counts.
        var nextAttempt: Duration?
        /// The time that the timer is set to.
        var timerTime: Duration?
        var failure: (any Error)?
    }

    private let state = Lock(State())
    private let waker: AsyncStream<Void>.Continuation

    init(_ waker: AsyncStream<Void>.Continuation) { self.waker = waker }

    /// Throws the error of the first delivery that could not use the store.
    func throwFailure() throws {
        try state.withLock { if let failure = $0.failure { throw failure } }
    }

    /// Called before the store is read, which finds all times of next attempts again.
    func forgetNextAttempt() {
        state.withLock { state in
            state.nextAttempt = nil
            state.timerTime = nil
        }
    }

    func record(nextAttempt time: Duration) {
        state.withLock { $0.nextAttempt = min($0.nextAttempt ?? time, time) }
    }

    func replaceKeys(with keys: [OfflineQueue.DueKey]) { state.withLock { $0.keys = keys[...] } }

    /// Claims keys until as many are being delivered as are allowed at the same time.
    func claimKeys(concurrency: Int) -> [OfflineQueue.DueKey] {
        state.withLock { state in
            let keys = Array(state.keys.prefix(max(0, concurrency - state.active)))
            state.keys = state.keys.dropFirst(keys.count)
            state.active += keys.count
            return keys
        }
    }

    /// Ends the delivery of a key, which wakes the loop.
    func endDelivery(_ error: (any Error)? = nil) {
        state.withLock { state in
            state.failure = state.failure ?? error
            state.active -= 1
        }
        waker.yield()
    }

    /// The earliest next attempt, if the timer is not set to it; the caller sets it.
    func claimTimer() -> Duration? {
        state.withLock { state in
            guard let time = state.nextAttempt, time != state.timerTime else { return nil }
            state.timerTime = time
            return time
        }
    }
}
#endif
