import Dispatch
import Locks
import SkiathosStore
import Synchronization

extension AccessCoordinator {
    /// Closes within a deadline, and reports what could not be done.
    func shutDown(within deadline: Duration) async -> ShutdownReport {
        let end = ContinuousClock.now + deadline
        let grace = max(deadline / 10, .milliseconds(250))
        stopAdmitting()
        var report = ShutdownReport()
        // Tasks of their own, which nobody cancels with the caller.
        let draining = Task(executorPreference: ShutdownExecutor.shared) {
            try await self.drainAndClose()
        }
        if await draining.result(within: deadline) != nil {
            noteClosing(&report)
        } else {
            await hurry(draining, grace: grace, &report)
        }
        if report.isClosed {
            // The process may end when this returns, and nobody would hear anything then.
            let left = ContinuousClock.now.duration(to: end)
            _ = await completionsWereCalled().result(within: max(left, grace))
        }
        // Also what another call, that was in a greater hurry, has turned away.
        report.refused = refused.load(ordering: .relaxed)
        report.duration = closing.withLock { $0.duration }
        return report
    }

    /// Turns away who waits, interrupts who is under way, and saves what is merged.
    private func hurry(
        _ draining: Task<Void, any Error>, grace: Duration, _ report: inout ShutdownReport
    ) async {
        let refusal = DataAccessError(
            .closed,
            "The data access layer was shut down, and its deadline passed before it was this call's turn. Nothing of it was done."
        )
        var count = turn.refuseWaiting(refusal)
        if readGate !== turn { count += readGate.refuseWaiting(refusal) }
        count += copies.refuseWaiting(refusal)
        refused.wrappingAdd(count, ordering: .relaxed)
        rootWriter.stop.raise()
        store.writer.interrupt()
        for reader in store.readers { reader.interrupt() }
        if await draining.result(within: grace) != nil { return noteClosing(&report) }
        let telling = completionsWereCalled()
        let end = ContinuousClock.now + grace
        // The closing goes on waiting for them: the process is about to end, and if it does not,
        // the files are given up when they are done.
        report.unfinished = runningCount
        let flush = Task(executorPreference: ShutdownExecutor.shared) {
            let waiter = try self.rootWriter.flush(to: .durable)
            self.rootWriter.syncAwaited()
            try await waiter?.wait()
        }
        let flushed = await flush.result(within: grace)
        report.isDurable = flushed.map { if case .success = $0 { true } else { false } } ?? false
        if case .failure(let error) = flushed { report.failure = error }
        // Those that were turned away hear it, too.
        _ = await telling.result(within: max(.zero, ContinuousClock.now.duration(to: end)))
    }

    /// Ends when every completion of a write has been called.
    private func completionsWereCalled() -> Task<Void, any Error> {
        Task(executorPreference: ShutdownExecutor.shared) { [completions] in
            await withCheckedContinuation { continuation in
                completions.notify(queue: DispatchQueue(label: "skiathos.shutdown")) {
                    continuation.resume()
                }
            }
        }
    }

    /// Notes what has become of the files, whichever call has given them up.
    private func noteClosing(_ report: inout ShutdownReport) {
        report.isClosed = true
        report.failure = closing.withLock { $0.failure }
        report.isDurable = report.failure == nil
    }
}

extension Task where Success == Void, Failure == any Error {
    /// What becomes of the task, or `nil` if it takes longer than a time; it goes on then.
    ///
    /// Cancelling the caller does not cut it short.
    fileprivate func result(within time: Duration) async -> Result<Void, any Error>? {
        let (ends, end) = AsyncStream.makeStream(of: Result<Void, any Error>?.self)
        Task<Void, Never>(executorPreference: ShutdownExecutor.shared) {
            end.yield(await self.result)
        }
        // A sleeping task would be woken by a thread of the pool.
        let timer = DispatchWorkItem { end.yield(nil) }
        DispatchQueue(label: "skiathos.deadline")
            .asyncAfter(deadline: .now() + .nanoseconds(time.nanoseconds), execute: timer)
        defer { timer.cancel() }
        let waiting = Task<Result<Void, any Error>?, Never>(
            executorPreference: ShutdownExecutor.shared
        ) {
            for await result in ends { return result }
            return nil
        }
        return await waiting.value
    }
}
