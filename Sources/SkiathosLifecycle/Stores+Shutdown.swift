#if Lifecycle
internal import SkiathosCore

extension [DataAccessLayer] {
    /// Shuts the stores down one after the other, the last of the list first, and returns their
    /// reports in the order of the list.
    ///
    /// Each may take an equal share of the time that is left when its turn comes, so a store that
    /// cannot finish leaves time for the others.
    func shutDown(within time: Duration) async -> [ShutdownReport] {
        let end = ContinuousClock.now + time
        var reports: [ShutdownReport] = []
        for index in indices.reversed() {
            let left = Swift.max(.zero, ContinuousClock.now.duration(to: end))
            // What has hurried all stores meanwhile must not be undone by a later deadline.
            reports.append(await self[index].shutDown(atMost: left / (index + 1)))
        }
        return reports.reversed()
    }

    /// Ends the deadlines of all stores at once, whether they are being shut down or not, and returns
    /// their reports in the order of the list.
    func shutDownAtOnce() async -> [ShutdownReport] {
        let calls = map { dal in
            Task(executorPreference: ShutdownExecutor.shared) {
                await dal.shutDown(within: .zero)
            }
        }
        var reports: [ShutdownReport] = []
        for call in calls { reports.append(await call.value) }
        return reports
    }

    /// The longest `Configuration.shutdownDeadline`; the default if there is no store.
    var shutdownDeadline: Duration {
        map(\.shutdownDeadline).max() ?? Configuration().shutdownDeadline
    }
}
#endif
