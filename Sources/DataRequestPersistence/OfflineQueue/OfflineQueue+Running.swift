#if RequestCore
import DataRequestCore
import SkiathosLocks
import SkiathosPlatformFoundation
import SkiathosCore
import Synchronization

extension OfflineQueue {
    /// Delivers stored and new requests until it is stopped.
    ///
    /// ```swift
    /// let group = ServiceGroup(services: [dal, requests, queue], logger: logger)
    /// try await group.runUntilTerminated(hurrying: dal)
    /// ```
    ///
    /// With the trait `Lifecycle` a queue is a service of swift-service-lifecycle. List it
    /// after the store and the request service, which it needs until it has stopped. On the
    /// graceful shutdown of its group no more deliveries begin, those under way finish, and the
    /// other requests stay in the store for the next run. If the group cancels its services
    /// meanwhile, the deliveries under way are cancelled and stay in the store, too. Without a
    /// group call ``stop(within:)``.
    ///
    /// Commits, the time of the next attempt, the return of the service's host, and
    /// ``retryWaiting()`` wake it; it never polls. It also ends when the store is closed, so
    /// leave the closing to the group. Cancelling its task ends running deliveries, which the
    /// next run repeats. A queue may run again after it has ended, and also more than once at
    /// the same time; a graceful shutdown or a stop ends all of its runs.
    ///
    /// - Throws: The error of the store if it cannot be read or written; run it again then.
    ///   `CancellationError` if the task was cancelled before a graceful shutdown.
    public func run() async throws {
        try await dal.requireDataRequestEntities()
        // Before the shutdown is watched, since a first run resets whether the queue stops.
        let (number, task) = beginRun()
        let listener = Task { await self.retryWhenReachable() }
        defer {
            listener.cancel()
            endRun(number)
        }
        do {
            try await withTaskCancellationHandler {
                try await stoppingWithGroup { try await task.value }
            } onCancel: {
                task.cancel()
            }
        } catch let error as DataAccessError where error.code == .closed {
            // A delivery under way could not store its outcome, and is repeated by the next run.
        } catch is CancellationError where isShuttingDownGracefully {
            // The group gives its services no more time; all requests are in the store.
        }
    }

    private func beginRun() -> (number: Int, task: Task<Void, any Error>) {
        let isTooLate = isShuttingDownGracefully
        return state.withLock { state in
            let number = state.number()
            if state.runs.isEmpty { state.isStopping = isTooLate }
            let task = Task { try await self.loop() }
            state.runs[number] = task
            return (number, task)
        }
    }

    private func endRun(_ number: Int) {
        state.withLock { state in
            state.runs[number] = nil
            if state.runs.isEmpty { state.removed = [] }
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
        beginStopping()
        let runs = state.withLock { Array($0.runs.values) }
        let clock = configuration.clock
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                do { try await clock.sleep(for: deadline.waitable) } catch { return true }
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
        let round = try await beginRound { _ in true }
        var keys = round.heads.map {
            DueKey(key: $0.key, isHurried: true, newestDurable: round.newestDurable)
        }[...]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<max(1, configuration.maximumConcurrency) {
                guard let key = keys.popFirst() else { break }
                group.addTask { try await self.deliver(key) { outcomes.add($0) } }
            }
            while try await group.next() != nil {
                guard let key = keys.popFirst() else { continue }
                group.addTask { try await self.deliver(key) { outcomes.add($0) } }
            }
        }
        try Task.checkCancellation()
        var report = outcomes.report
        report.waiting = try await counts().pending
        return report
    }
}
#endif
