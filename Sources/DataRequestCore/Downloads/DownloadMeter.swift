#if RequestCore
import SkiathosLocks
import Synchronization

/// Reports the progress of a download at intervals, and exactly once at the end.
final class DownloadMeter: Sendable {
    typealias Report = @Sendable (DownloadProgress) -> Void

    private let report: Report?
    /// The last reported count.
    private let reported = Lock<Int64>(0)

    init(report: Report?) { self.report = report }

    /// Takes the number of bytes written; it decreases only if the download was started over.
    func reached(_ received: Int64, of total: Int64?) {
        guard let report, received != total else { return }
        let step = max(64 << 10, (total ?? 0) / 100)
        let isDue = reported.withLock { reported in
            guard received < reported || received - reported >= step else { return false }
            reported = received
            return true
        }
        if isDue { report(DownloadProgress(received: received, total: total)) }
    }

    /// The file is in place.
    func finished(_ size: Int64) { report?(DownloadProgress(received: size, total: size)) }
}
#endif
