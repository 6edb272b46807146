import Dispatch
import Locks
import Logging
import SkiathosStore
import Synchronization

/// Brings what a store does to whoever operates it: metrics, and a warning where reads let the log
/// grow.
final class StoreMonitor: StoreObserver {
    private struct Watched: Sendable {
        weak var reads: AdmissionGate?
        weak var root: RootWriter?
    }

    let metrics: StoreMetrics?
    private let logger: Logger
    private let limit: Int
    private let alarm: Lock<LogAlarm>
    /// The reads that may hold the log, and the writer.
    ///
    /// Weak, since the store holds this object, and lives longer than what is above it.
    private let watched = Lock(Watched())

    init(_ configuration: Configuration) {
        metrics = configuration.storeMetrics()
        logger = configuration.storeLogger
        limit = configuration.largestLog
        alarm = Lock(LogAlarm(limit: limit))
    }

    /// Says which reads to look at when the log is held, and which writer ends when files fail.
    func watch(_ reads: AdmissionGate, _ root: RootWriter) {
        watched.withLock { $0 = Watched(reads: reads, root: root) }
    }

    func filesFailed(_ error: StoreError) {
        watched.withLock { $0.root }?.filesFailed(error)
    }

    func logChanged(size: Int) {
        metrics?.logChanged(size: size)
        alarm.withLock { $0.note(size) }
    }

    func checkpointMade(_ checkpoint: StoreCheckpoint) {
        metrics?.checkpointMade(checkpoint)
        guard checkpoint.isHeldByRead,
            alarm.withLock({ $0.isDue(heldAt: checkpoint.logSize) })
        else { return }
        let read = watched.withLock { $0.reads }?.oldestOccupant
        let age = read.map { $0.start.duration(to: .now) }
        // Elsewhere, since the writer's connection is held, and a log may be slow.
        DispatchQueue.global().async { [self] in warn(checkpoint.logSize, read, age) }
    }

    private func warn(_ size: Int, _ read: RunningRead?, _ age: Duration?) {
        var metadata: Logger.Metadata = [
            "skiathos.log.size": "\(size)", "skiathos.log.limit": "\(limit)",
        ]
        var culprit = "another process, since none of this one is running any more"
        if let read, let age {
            metadata["skiathos.read.place"] = "\(read.place)"
            metadata["skiathos.read.duration"] = "\(age)"
            culprit = "\(read.place), which has been running for \(age)"
        }
        logger.warning(
            "The log has grown to \(size) bytes, above Configuration.logSizeLimit (\(limit)), because a read holds it. The oldest read is that of \(culprit). Writes go on, and the log grows until it ends: end it, or read in smaller portions.",
            metadata: metadata)
    }
}
