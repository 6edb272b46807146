#if RequestCore
import Locks
import PlatformFoundation
import SkiathosCore
import Synchronization

extension OfflineQueue {
    /// State shared by the loop and its deliveries.
    private final class Progress: Sendable {
        struct State {
            /// How many keys are being delivered.
            var active = 0
            /// The earliest known time of a next attempt.
            var due: Date?
            var failure: (any Error)?
        }

        let state = Lock(State())

        func note(_ time: Date?) {
            guard let time else { return }
            state.withLock { $0.due = min($0.due ?? time, time) }
        }
    }

    /// Checks the store after each event, and delivers due requests.
    func loop() async throws {
        let (signal, waker) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            let number = state.number()
            state.wakers[number] = waker
            state.needsLook = true
            return number
        }
        defer { state.withLock { _ = $0.wakers.removeValue(forKey: number) } }
        // Begun before the first check, so that no write in between is missed.
        let feed = dal.changes(of: QueuedRequest.self)
        let progress = Progress()
        try await withThrowingTaskGroup(of: Void.self) { group in
            let watching = Task {
                for try await event in feed { if isNews(event) { wake() } }
                // The store was closed, unless the loop has ended.
                if !Task.isCancelled { wake { $0.isStopping = true } }
            }
            let timer = Alarm(configuration.clock) { [weak self] in self?.wake() }
            defer {
                watching.cancel()
                timer.stop()
            }
            var keys: ArraySlice<(key: String, isHurried: Bool)> = []
            var armed: Date?
            var signals = signal.makeAsyncIterator()
            while !state.withLock({ $0.isStopping }) {
                try Task.checkCancellation()
                try progress.state.withLock { if let failure = $0.failure { throw failure } }
                if let isHurried = takeLook() {
                    armed = nil
                    keys = try await look(isHurried, progress)[...]
                }
                fill(&group, &keys, progress, waker)
                if let due = progress.state.withLock({ $0.due }), due != armed {
                    armed = due
                    timer.set(wait(until: due))
                }
                _ = await signals.next(isolation: #isolation)
            }
            try await group.waitForAll()
        }
        try Task.checkCancellation()
        try progress.state.withLock { if let failure = $0.failure { throw failure } }
    }

    /// Whether to check the store, and if so whether for all waiting requests; nil if not.
    private func takeLook() -> Bool? {
        state.withLock { state in
            guard state.needsLook else { return nil }
            state.needsLook = false
            defer { state.isHurried = false }
            return state.isHurried
        }
    }

    /// The keys whose first request is due.
    private func look(
        _ isHurried: Bool, _ progress: Progress
    ) async throws -> [(key: String, isHurried: Bool)] {
        // Before reading, so that no time that is stored meanwhile gets lost.
        progress.state.withLock { $0.due = nil }
        let heads = try await heads().filter { $0.state == .pending }
        var keys: [(key: String, isHurried: Bool)] = []
        for head in heads {
            if isHurried || wait(until: head.nextAttempt) == .zero {
                keys.append((head.key, isHurried))
            } else {
                progress.note(head.nextAttempt)
            }
        }
        return keys
    }

    /// Begins as many deliveries as the configuration allows.
    private func fill(
        _ group: inout ThrowingTaskGroup<Void, any Error>,
        _ keys: inout ArraySlice<(key: String, isHurried: Bool)>, _ progress: Progress,
        _ waker: AsyncStream<Void>.Continuation
    ) {
        let free =
            max(1, configuration.maximumConcurrency)
            - progress.state.withLock { $0.active }
        guard free > 0 else { return }
        for (key, isHurried) in keys.prefix(free) {
            progress.state.withLock { $0.active += 1 }
            group.addTask {
                do {
                    try await self.deliver(key, isHurried: isHurried) { outcome in
                        if case .postponed(let time) = outcome { progress.note(time) }
                    }
                } catch {
                    progress.state.withLock { $0.failure = $0.failure ?? error }
                }
                progress.state.withLock { $0.active -= 1 }
                waker.yield()
            }
        }
        keys = keys.dropFirst(free)
    }

    /// Whether a commit has added a request to deliver, or has unblocked a key.
    private func isNews(_ event: ChangeFeed<QueuedRequest>.Event) -> Bool {
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
#endif
