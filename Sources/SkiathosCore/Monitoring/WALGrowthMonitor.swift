/// Decides when to warn that reads let the log grow; does nothing itself.
struct WALGrowthMonitor: Sendable {
    private let limit: Int
    /// The size above which the next warning is due.
    private var threshold: Int

    /// - Parameter limit: The size in bytes above which the first warning is due.
    init(limit: Int) {
        self.limit = limit
        threshold = limit
    }

    /// The log has a size, of which a read holds it: tells whether to warn now.
    ///
    /// After a warning the next one is due when the log has doubled.
    mutating func isDue(heldAt size: Int) -> Bool {
        guard size > threshold else { return false }
        let (double, isTooLarge) = size.multipliedReportingOverflow(by: 2)
        threshold = isTooLarge ? .max : double
        return true
    }

    /// The log has a size; once it is back below the limit, a warning is due when it crosses the
    /// limit again.
    mutating func note(_ size: Int) {
        if size <= limit { threshold = limit }
    }
}
