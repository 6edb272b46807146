import Dispatch
import Locks
import Logging
import SkiathosStore
import Synchronization

/// Turns what a store does into metrics, and into a warning where a read or a backup
/// lets the log grow.
final class StoreMonitor: StoreObserver {
    private struct Watched: Sendable {
        weak var reads: AdmissionGate?
        weak var root: RootWriter?
        /// The backup that holds a version of the store, if there is one.
        var backup: RunningRead?

        /// What has held a version for the longest time.
        var oldest: Holder? {
            let read = reads?.oldestOccupant
            guard let backup, read.map({ backup.start < $0.start }) ?? true else {
                return read.map { Holder(kind: .read, running: $0) }
            }
            return Holder(kind: .backup, running: backup)
        }
    }

    /// What keeps the log from starting over.
    private struct Holder: Sendable {
        enum Kind: String { case read, backup }

        let kind: Kind
        let running: RunningRead
    }

    let metrics: StoreMetrics?
    private let logger: Logger
    private let limit: Int
    private let alarm: Lock<WALGrowthMonitor>
    /// What may hold the log, and the writer.
    ///
    /// Weak, since the store holds this object, and lives longer than what is above it.
    private let watched = Lock(Watched())

    init(_ configuration: Configuration) {
        metrics = configuration.storeMetrics()
        logger = configuration.storeLogger
        limit = configuration.largestLog
        alarm = Lock(WALGrowthMonitor(limit: limit))
    }

    /// Says which reads to look at when the log is held, and which writer ends when files fail.
    func watch(_ reads: AdmissionGate, _ root: RootWriter) {
        watched.withLock { $0 = Watched(reads: reads, root: root) }
    }

    func filesFailed(_ error: StoreError) {
        watched.withLock { $0.root }?.filesFailed(error)
    }

    /// Says that a backup holds a version from now on, of which there is one at a time.
    func backupBegan(from place: SourcePlace) {
        let backup = RunningRead(place: place, start: .now)
        watched.withLock { $0.backup = backup }
    }

    /// Says that the backup holds its version no longer.
    func backupEnded() { watched.withLock { $0.backup = nil } }

    func logChanged(size: Int) {
        metrics?.logChanged(size: size)
        alarm.withLock { $0.note(size) }
    }

    func checkpointMade(_ checkpoint: StoreCheckpoint) {
        metrics?.checkpointMade(checkpoint)
        guard checkpoint.isHeldByRead,
            alarm.withLock({ $0.isDue(heldAt: checkpoint.logSize) })
        else { return }
        let holder = watched.withLock { $0.oldest }
        let age = holder.map { $0.running.start.duration(to: .now) }
        // Elsewhere, since the writer's connection is held, and a log may be slow.
        DispatchQueue.global().async { [self] in warn(checkpoint.logSize, holder, age) }
    }

    private func warn(_ size: Int, _ holder: Holder?, _ age: Duration?) {
        var metadata: Logger.Metadata = [
            "skiathos.log.size": "\(size)", "skiathos.log.limit": "\(limit)",
        ]
        var culprit =
            "a read holds it. The oldest read is that of another process, since none of this one is running any more"
        if let holder, let age {
            let (kind, place) = (holder.kind.rawValue, holder.running.place)
            metadata["skiathos.\(kind).place"] = "\(place)"
            metadata["skiathos.\(kind).duration"] = "\(age)"
            culprit =
                switch holder.kind {
                case .read:
                    "a read holds it. The oldest read is that of \(place), which has been running for \(age)"
                case .backup:
                    "a backup holds it, that of \(place), which has been running for \(age)"
                }
        }
        let advice =
            switch holder?.kind {
            case .backup: "give the backup a faster disk, or a time when less is written"
            case .read, nil: "end it, or read in smaller portions"
            }
        logger.warning(
            "The log has grown to \(size) bytes, above Configuration.logSizeLimit (\(limit)), because \(culprit). Writes go on, and the log grows until it ends: \(advice).",
            metadata: metadata)
    }
}
