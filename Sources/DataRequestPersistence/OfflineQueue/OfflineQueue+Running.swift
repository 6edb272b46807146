#if RequestCore
import DataRequestCore
import Locks
import PlatformFoundation
import SkiathosCore
import Synchronization

extension OfflineQueue {
    /// Delivers stored and new requests until it is stopped.
    ///
    /// It also ends when its task is cancelled or the store is closed.
    ///
    /// It has the shape of a service of swift-service-lifecycle. Commits, the time of the next
    /// attempt, the return of the service's host, and ``retryWaiting()`` wake it; it never
    /// polls. Cancelling it ends running deliveries, which the next run repeats;
    /// ``stop(within:)`` lets them finish.
    ///
    /// - Throws: The error of the store if it cannot be read or written; run it again then.
    ///   `CancellationError` if the task was cancelled.
    public func run() async throws {
        try await dal.requireDataRequestEntities()
        let (number, task) = state.withLock { state in
            let number = state.number()
            if state.runs.isEmpty { state.isStopping = false }
            let task = Task { try await self.loop() }
            state.runs[number] = task
            return (number, task)
        }
        let listener = Task { await self.retryWhenReachable() }
        defer {
            listener.cancel()
            state.withLock { state in
                state.runs[number] = nil
                if state.runs.isEmpty { state.removed = [] }
            }
        }
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Retries everything at once each time the host becomes reachable again.
    ///
    /// The service detects this with any request it sends, or by its probe.
    private func retryWhenReachable() async {
        var wasUnreachable = false
        for await reachability in service.reachabilityChanges {
            switch reachability {
            case .unknown: break
            case .unreachable: wasUnreachable = true
            case .reachable:
                if wasUnreachable { retryWaiting() }
                wasUnreachable = false
            }
        }
    }

    /// Begins no more deliveries, and waits for the running ones.
    ///
    /// ```swift
    /// await queue.stop(within: .seconds(5))   // run() has returned
    /// ```
    ///
    /// No request is lost: those that were not delivered stay in the store.
    ///
    /// - Parameter deadline: How long deliveries may take before they are cancelled.
    /// - Returns: Whether all of them have ended in time.
    @discardableResult
    public func stop(within deadline: Duration = .seconds(10)) async -> Bool {
        let runs = state.withLock { state in
            state.isStopping = true
            return Array(state.runs.values)
        }
        wake { _ in }
        let clock = configuration.clock
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                do { try await clock.sleep(for: deadline) } catch { return true }
                for run in runs { run.cancel() }
                return false
            }
            group.addTask {
                for run in runs { _ = await run.result }
                return true
            }
            let isInTime = await group.next() ?? true
            group.cancelAll()
            await group.waitForAll()
            return isInTime
        }
    }

    /// Tries all waiting requests once, due or not; continues with each key until one of its
    /// requests fails.
    ///
    /// A key that a running queue is delivering is left to it.
    ///
    /// - Throws: The error of the store. `CancellationError` if the task was cancelled;
    ///   requests delivered until then are removed.
    public func deliverNow() async throws -> DeliveryReport {
        try await dal.requireDataRequestEntities()
        state.withLock { if $0.runs.isEmpty { $0.isStopping = false } }
        let outcomes = DeliveryCounts()
        var keys = try await heads().filter { $0.state == .pending }.map(\.key)[...]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<max(1, configuration.maximumConcurrency) {
                guard let key = keys.popFirst() else { break }
                group.addTask { try await self.deliver(key, isHurried: true) { outcomes.add($0) } }
            }
            while try await group.next() != nil {
                guard let key = keys.popFirst() else { continue }
                group.addTask { try await self.deliver(key, isHurried: true) { outcomes.add($0) } }
            }
        }
        try Task.checkCancellation()
        var report = outcomes.report
        report.waiting = try await counts().pending
        return report
    }
}
#endif
