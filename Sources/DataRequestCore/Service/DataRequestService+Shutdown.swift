#if RequestCore
import SkiathosLocks
import Synchronization

extension DataRequestService {
    /// Shuts down the service and its transport, with a deadline for calls in flight.
    ///
    /// New calls are refused. Calls in flight may finish until the deadline; then they are
    /// cancelled.
    ///
    /// ```swift
    /// let report = await service.shutDown(deadline: .seconds(20))
    /// // ShutdownReport(finished: 3, cancelled: ["export"])
    /// ```
    ///
    /// Calls that are refused or cancelled fail with `shutDown`. The authoriser is released at
    /// the end. A body that is streamed to a caller is in flight until it was read. Calling it
    /// again, also at the same time, waits for the first shutdown and returns its report. The
    /// deadline of the first call holds, but a call with the deadline zero cancels calls in
    /// flight at once.
    ///
    /// - Parameter deadline: How long calls in flight may take to finish, by the service's
    ///   clock; zero cancels them at once.
    @discardableResult
    public func shutDown(deadline: Duration = .seconds(20)) async -> ShutdownReport {
        let inFlight = registry.close()
        if deadline <= .zero { stopAll() }
        return await shutdown.run { await self.finish(inFlight, within: deadline) }
    }

    /// The calls in flight, by name or by method and path, in no order.
    public var inFlight: [String] { registry.operations.map(\.label) }

    private func stopAll() {
        defer { shutdown.hurry() }
        for operation in registry.operations {
            let label = operation.label
            // An operation that has ended may be the last one for which another call waits to report.
            operation.stop(.shutDown) { shutdown.noteCancelled(label) }
        }
    }

    private func finish(_ inFlight: Int, within deadline: Duration) async -> ShutdownReport {
        if deadline > .zero { await drain(within: deadline) }
        stopAll()
        var failure: (any Error)?
        for environment in registry.environments
        where environment.ownsTransport || environment === registry.environment {
            do { try await environment.shutDownTransport() } catch { failure = failure ?? error }
        }
        for environment in registry.environments { environment.credentials.close() }
        registry.stopKeepingDeadlines()
        monitor.finish()
        environments.finish()
        let cancelled = shutdown.cancelled
        return ShutdownReport(
            finished: max(0, inFlight - cancelled.count), cancelled: cancelled, failure: failure)
    }

    /// Returns when nothing is in flight any more, or at the deadline.
    private func drain(within deadline: Duration) async {
        let until = registry.clock.now + deadline
        let isOver = Promise<Void, any Error>()
        // Resumed by the last operation, also when the deadline has passed before.
        Task { [registry] in
            await registry.drain()
            isOver.complete(.success(()))
        }
        let timer = Task { [clock = registry.clock] in
            guard (try? await clock.sleep(until: until)) != nil else { return }
            isOver.complete(.success(()))
        }
        shutdown.onHurry { isOver.complete(.success(())) }
        _ = await isOver.outcome()
        timer.cancel()
    }
}
#endif
