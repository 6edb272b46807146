#if RequestCore
import SkiathosLocks
import Synchronization

/// Counts the bytes of a body that the transport has taken, and reports them at intervals.
///
/// Reports never go back, come after 64 KiB or a hundredth of the whole, whichever is more, and
/// end with exactly one that has everything in it. Each attempt has a count of its own.
final class UploadProgress: Sendable {
    typealias Report = @Sendable (_ sent: Int64, _ total: Int64?) -> Void

    private struct State {
        var sent: Int64 = 0
        var reported: Int64 = 0
        var isFinished = false
    }

    private let state = Lock(State())
    private let total: Int64?
    private let step: Int64
    private let report: Report

    init(total: Int64?, report: @escaping Report) {
        self.total = total
        self.report = report
        step = max(64 << 10, (total ?? 0) / 100)
    }

    /// Counts bytes that the transport has taken; called by one task at a time.
    func took(_ count: Int) {
        let sent: Int64? = state.withLock { state in
            state.sent += Int64(count)
            // The last report is the one of `finish`.
            let isDue = state.sent - state.reported >= step && state.sent != total
            guard isDue, !state.isFinished else { return nil }
            state.reported = state.sent
            return state.sent
        }
        if let sent { report(sent, total) }
    }

    /// Sends the last report.
    func finish() {
        let sent: Int64? = state.withLock { state in
            guard !state.isFinished else { return nil }
            state.isFinished = true
            return total ?? state.sent
        }
        if let sent { report(sent, sent) }
    }
}
#endif
