import Dispatch
import SkiathosLocks
import SkiathosStore
import Synchronization

extension AccessCoordinator {
    /// How long the completions of a closed store may take past the deadline: there may be
    /// thousands of them, on a busy machine.
    private static let timeForCompletions = Duration.seconds(2)

    /// The least time for the completions of a store whose closures are left running.
    private static let leastTimeForTelling = Duration.milliseconds(250)

    /// Closes within a deadline, and reports what could not be done.
    ///
    /// Calls that start while one is under way join it, and the earliest of their deadlines
    /// counts.
    ///
    /// - Parameters:
    ///   - time: The deadline of this call. Without one, the configuration's counts, or an
    ///     earlier one that another call has given.
    ///   - keepsEarlier: Whether an earlier deadline of another call counts also where this
    ///     call has one, even if it has passed.
    func shutDown(within time: Duration?, keepsEarlier: Bool = false) async -> ShutdownReport {
        // A clock cannot count to infinity.
        let allowed = min(max(time ?? shutdownDeadline, .zero), .seconds(1 << 30))
        let wanted = ClosingProgress.Deadline(moment: .now + allowed, grace: allowed / 10)
        stopAdmitting()
        let report = closing.withLock { progress in
            let limit = progress.limit(wanted, isDefault: time == nil || keepsEarlier)
            if let shutdown = progress.shutdown {
                shutdown.deadline.bringForward(to: limit)
                return shutdown.report
            }
            let deadline = ShutdownDeadline(limit)
            // A separate task, which no caller cancels.
            let report = Task(executorPreference: ShutdownExecutor.shared) {
                let report = await self.shutDown(until: deadline)
                // A later call reports again what is left.
                self.closing.withLock { $0.shutdown = nil }
                return report
            }
            progress.shutdown = (deadline, report)
            return report
        }
        return await report.value
    }

    private func shutDown(until deadline: ShutdownDeadline) async -> ShutdownReport {
        var report = ShutdownReport()
        report.label = label
        if closing.withLock({ $0.hasEnded }) {
            // The store is closed, so nothing is interrupted, however early the deadline is.
            noteClosing(&report)
        } else {
            await drain(until: deadline, &report)
        }
        if report.isClosed {
            // The process may end when this returns, and no completion would be called then.
            let telling = completionsWereCalled()
            if await telling.result(until: deadline) == nil {
                _ = await telling.result(within: max(deadline.grace, Self.timeForCompletions))
            }
        }
        report.refused = refused.load(ordering: .relaxed)
        report.duration = closing.withLock { $0.duration }
        return report
    }

    private func drain(until deadline: ShutdownDeadline, _ report: inout ShutdownReport) async {
        let draining = Task(executorPreference: ShutdownExecutor.shared) {
            try await self.drainAndClose()
        }
        if await draining.result(until: deadline) != nil {
            noteClosing(&report)
        } else {
            await hurry(draining, grace: deadline.grace, &report)
        }
    }

    /// Refuses the accesses that wait, interrupts those under way, and syncs what is merged.
    private func hurry(
        _ draining: Task<Void, any Error>, grace: Duration, _ report: inout ShutdownReport
    ) async {
        let refusal = DataAccessError(
            .closed,
            "The data access layer was shut down, and its deadline passed before it was this call's turn. Nothing of it was done."
        )
        var count = rootWriter.permits.refuseWaiting(refusal)
        if connections == .pool { count += main.gate.refuseWaiting(refusal) }
        count += copies.refuseWaiting(refusal)
        refused.wrappingAdd(count, ordering: .relaxed)
        rootWriter.stop.set()
        interruptConnections()
        let interrupting = Task(executorPreference: ShutdownExecutor.shared) {
            await self.interruptClosures()
        }
        let drained = await draining.result(within: max(grace, shutdownGrace.closures))
        interrupting.cancel()
        guard drained == nil else { return noteClosing(&report) }
        let telling = completionsWereCalled()
        // The completions of closures that are left running are not called in this time.
        let timeForTelling = max(grace, Self.leastTimeForTelling)
        let end = ContinuousClock.now + timeForTelling
        // The closing task continues to wait for them: the process is about to end, and if it
        // does not, the files are closed when they are done.
        report.unfinished = runningCount
        // Another program's lock may keep the connection busy, although nothing is left to be
        // saved.
        guard !commits.isDurable else {
            report.isDurable = true
            _ = await telling.result(within: timeForTelling)
            return
        }
        let flush = Task(executorPreference: ShutdownExecutor.shared) {
            try self.commits.awaitAcknowledgement(try self.commits.flush(to: .durable))
        }
        let flushed = await flush.result(within: max(grace, shutdownGrace.flush))
        report.isDurable = flushed.map { if case .success = $0 { true } else { false } } ?? false
        if case .failure(let error) = flushed { report.failure = error }
        // The completions of refused writes are called, too.
        _ = await telling.result(within: max(.zero, ContinuousClock.now.duration(to: end)))
    }

    private func interruptConnections() {
        commits.interruptClosure()
        for reader in store.readers { reader.interrupt() }
    }

    /// Interrupts what closures run in the store again and again, until they have ended or the task is
    /// cancelled.
    ///
    /// A store forgets an interruption that comes between the last check before a statement and its
    /// beginning.
    private func interruptClosures() async {
        while (try? await Task.sleep(for: .milliseconds(20))) != nil {
            // With the lock, so that none of these reaches the closing.
            let haveEnded = closing.withLock { progress in
                if !progress.hasDrained { interruptConnections() }
                return progress.hasDrained
            }
            if haveEnded { return }
        }
    }

    /// Ends when every completion of a write has been called.
    private func completionsWereCalled() -> Task<Void, any Error> {
        Task(executorPreference: ShutdownExecutor.shared) { [completions] in
            await withContinuation { continuation in
                completions.notify(queue: DispatchQueue(label: "skiathos.shutdown")) {
                    continuation.resume()
                }
            }
        }
    }

    /// Records how the files were closed, whichever call has closed them.
    private func noteClosing(_ report: inout ShutdownReport) {
        report.isClosed = true
        let (failure, loss) = closing.withLock { ($0.failure, $0.loss) }
        report.failure = failure ?? loss
        let isStorageFailure = (failure as? StoreError)?.isStorageFailure ?? false
        report.isDurable =
            loss == nil && (failure == nil || (!isStorageFailure && commits.isDurable))
    }
}
