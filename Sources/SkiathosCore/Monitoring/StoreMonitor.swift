import Dispatch
import Logging
import SkiathosLocks
import SkiathosStore
import Synchronization

/// Turns the events of a store into metrics, and into a warning where a read or a backup lets
/// the WAL grow.
final class StoreMonitor: StoreObserver {
    /// What is watched, held by the layers above the store.
    ///
    /// An object of its own, since a weak reference makes retaining its object dear, and these are
    /// retained by every read.
    final class Subject: Sendable {
        /// The reads that may hold the WAL.
        fileprivate let reads: AdmissionGate
        /// What ends when files fail.
        fileprivate let commits: GroupCommit

        init(reads: AdmissionGate, commits: GroupCommit) {
            self.reads = reads
            self.commits = commits
        }
    }

    private struct Watched: Sendable {
        weak var subject: Subject?
        /// The backup that holds a snapshot of the store, if there is one.
        var backup: RunningRead?

        /// The read or backup that has held a snapshot for the longest time.
        var oldest: Holder? {
            let read = subject?.reads.oldestHolder
            guard let backup, read.map({ backup.start < $0.start }) ?? true else {
                return read.map { Holder(kind: .read, running: $0) }
            }
            return Holder(kind: .backup, running: backup)
        }
    }

    /// A read or backup that keeps the WAL from restarting.
    private struct Holder: Sendable {
        enum Kind: String { case read, backup }

        let kind: Kind
        let running: RunningRead
    }

    let metrics: StoreMetrics?
    private let logger: Logger
    private let limit: Int
    private let growth: Lock<WALGrowthMonitor>
    /// Its subject is weak, since the store holds this object, and outlives the layers above it.
    private let watched = Lock(Watched())

    init(_ configuration: Configuration) {
        metrics = configuration.storeMetrics()
        logger = configuration.storeLogger
        limit = configuration.largestWAL
        growth = Lock(WALGrowthMonitor(limit: limit))
    }

    /// The size of the WAL after the last commit, in bytes; `nil` before the first.
    var walSize: Int? { growth.withLock { $0.size } }

    /// Sets what is watched, for as long as the caller holds it.
    func watch(_ subject: Subject) { watched.withLock { $0 = Watched(subject: subject) } }

    func filesFailed(_ error: StoreError) {
        watched.withLock { $0.subject }?.commits.filesFailed(error)
    }

    /// Records that a backup holds a snapshot from now on; there is one at a time.
    func backupBegan(from place: SourcePlace) {
        let backup = RunningRead(place: place, start: .now)
        watched.withLock { $0.backup = backup }
    }

    /// Records that the backup holds its snapshot no longer.
    func backupEnded() { watched.withLock { $0.backup = nil } }

    func walGrew(size: Int) {
        metrics?.walGrew(size: size)
        growth.withLock { $0.record(size) }
    }

    func checkpointMade(_ checkpoint: StoreCheckpoint) {
        metrics?.checkpointMade(checkpoint)
        guard checkpoint.isHeldByRead,
            growth.withLock({ $0.isDue(heldAt: checkpoint.walSize) })
        else { return }
        let holder = watched.withLock { $0.oldest }
        let age = holder.map { $0.running.start.duration(to: .now) }
        // On another queue, since the writer's connection is held, and a logger may be slow.
        DispatchQueue.global().async { [self] in warn(checkpoint.walSize, holder, age) }
    }

    private func warn(_ size: Int, _ holder: Holder?, _ age: Duration?) {
        var metadata: Logger.Metadata = [
            "skiathos.wal.size": "\(size)", "skiathos.wal.limit": "\(limit)",
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
            "The WAL has grown to \(size) bytes, above Configuration.walSizeLimit (\(limit)), because \(culprit). Writes continue, and the WAL grows until it ends: \(advice).",
            metadata: metadata)
    }
}
