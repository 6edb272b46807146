/// Keeps the size of the WAL, and decides when to warn that reads let it grow; has no effects itself.
struct WALGrowthMonitor: Sendable {
    private let limit: Int
    /// The size above which the next warning is due.
    private var threshold: Int
    /// The size after the last commit; `nil` before the first.
    private(set) var size: Int?

    /// - Parameter limit: The size in bytes above which the first warning is due.
    init(limit: Int) {
        self.limit = limit
        threshold = limit
    }

    /// Returns whether to warn now about the size of the WAL while a read holds it.
    ///
    /// After a warning the next one is due when the WAL has doubled.
    mutating func isDue(heldAt size: Int) -> Bool {
        guard size > threshold else { return false }
        let (double, isTooLarge) = size.multipliedReportingOverflow(by: 2)
        threshold = isTooLarge ? .max : double
        return true
    }

    /// Records the size of the WAL.
    ///
    /// Once it is back below the limit, a warning is due when it exceeds the limit again.
    mutating func record(_ size: Int) {
        self.size = size
        if size <= limit { threshold = limit }
    }
}
