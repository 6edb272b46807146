#if Lifecycle
internal import Dispatch
internal import Logging
internal import SkiathosCore
internal import Synchronization

/// Detects that closures hold all threads of Swift's tasks, so that a program cannot stop
/// gracefully.
///
/// The pool has one thread for each core, and while all are held no task can run. So the watch
/// uses threads of its own.
final class PoolWatch: Sendable {
    /// How often the watch checks, so that a suspended process is not mistaken for one whose
    /// threads are held.
    private static let polls = 4

    /// Set by the first call that reacts, and by the end of the watch.
    private let isOver = Atomic(false)
    private let queue = DispatchQueue(label: "skiathos.watch")
    private let logger: Logger
    /// Tasks of another priority may have threads of their own.
    private let priority = Task.currentPriority
    private let reaction: @Sendable (ReactorReport) -> Void

    /// Created by the task that is to continue.
    ///
    /// - Parameter reaction: Called at most once, after the log message.
    init(_ logger: Logger, reaction: @escaping @Sendable (ReactorReport) -> Void) {
        self.logger = logger
        self.reaction = reaction
    }

    /// Begins another watch, in addition to running ones.
    ///
    /// - Parameters:
    ///   - time: How long all threads must be held before there is a reaction.
    ///   - report: Makes the report for it.
    func begin(_ time: Duration, report: @escaping @Sendable () async -> ReactorReport) {
        guard !isOver.load(ordering: .acquiring) else { return }
        let probe = Probe()
        Task.detached(priority: priority) { probe.isAnswered.store(true, ordering: .releasing) }
        poll(for: probe, Self.polls, time, report)
    }

    /// Ends the watch: there is no reaction any more.
    func end() { isOver.store(true, ordering: .releasing) }

    private func poll(
        for probe: Probe, _ left: Int, _ time: Duration,
        _ report: @escaping @Sendable () async -> ReactorReport
    ) {
        let pause = DispatchTimeInterval.nanoseconds((time / Self.polls).nanoseconds)
        queue.asyncAfter(deadline: .now() + pause) { [weak self] in
            guard let self, !isOver.load(ordering: .acquiring) else { return }
            if left > 1 { return poll(for: probe, left - 1, time, report) }
            if probe.isAnswered.load(ordering: .acquiring) { return begin(time, report: report) }
            guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
            Task(executorPreference: ShutdownExecutor.shared) { await self.react(to: report) }
        }
    }

    private func react(to report: @Sendable () async -> ReactorReport) async {
        let report = await report()
        logger.critical(
            "The program cannot stop in order: closures hold every thread of Swift's tasks. \(report)"
        )
        reaction(report)
    }

    /// A task that has to run.
    private final class Probe: Sendable {
        let isAnswered = Atomic(false)
    }
}
#endif
