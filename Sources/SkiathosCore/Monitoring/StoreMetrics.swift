import Metrics
import SkiathosStore

/// The metrics of one store, created when it is opened.
///
/// `Monitoring.md` lists them all.
final class StoreMetrics: Sendable {
    let writeQueue: QueueMetrics
    let readQueue: QueueMetrics
    private let writeDuration: Timer
    private let writes: Counter
    private let lostWrites: Counter
    private let commits: Counter
    private let writesPerCommit: Recorder
    private let syncDuration: Timer
    private let checkpointDuration: Timer
    private let walSize: Meter

    /// Creates all metrics, or none if the factory is the one that does nothing with them.
    init?(_ factory: any MetricsFactory, store label: String) {
        guard !(factory is NOOPMetricsHandler) else { return nil }
        let dimensions = [("store", label)]
        func counter(_ name: String) -> Counter {
            Counter(label: name, dimensions: dimensions, factory: factory)
        }
        func meter(_ name: String) -> Meter {
            Meter(label: name, dimensions: dimensions, factory: factory)
        }
        func timer(_ name: String) -> Timer {
            Timer(
                label: name, dimensions: dimensions, preferredDisplayUnit: .seconds,
                factory: factory)
        }
        writeQueue = QueueMetrics(
            depth: meter("skiathos.write.queue.depth"),
            wait: timer("skiathos.write.wait.duration"))
        readQueue = QueueMetrics(
            depth: meter("skiathos.read.queue.depth"), wait: timer("skiathos.read.wait.duration"))
        writeDuration = timer("skiathos.write.duration")
        writes = counter("skiathos.writes.committed")
        lostWrites = counter("skiathos.writes.lost")
        commits = counter("skiathos.commits")
        writesPerCommit = Recorder(
            label: "skiathos.commit.writes", dimensions: dimensions, factory: factory)
        syncDuration = timer("skiathos.sync.duration")
        checkpointDuration = timer("skiathos.checkpoint.duration")
        walSize = meter("skiathos.wal.size")
    }

    /// Records that a write, which began at a moment, has released its permit.
    func writeEnded(since start: ContinuousClock.Instant) {
        writeDuration.record(duration: start.duration(to: .now))
    }

    /// Records that a batch of writes was committed.
    func committed(_ count: Int) {
        writes.increment(by: count)
        commits.increment()
        writesPerCommit.record(count)
    }

    /// Records that a batch of writes could not be committed.
    func lost(_ count: Int) { lostWrites.increment(by: count) }

    /// Records that a sync, which began at a moment, has ended.
    func synced(since start: ContinuousClock.Instant) {
        syncDuration.record(duration: start.duration(to: .now))
    }

    func walGrew(size: Int) { walSize.set(size) }

    func checkpointMade(_ checkpoint: StoreCheckpoint) {
        checkpointDuration.record(duration: checkpoint.duration)
    }
}
