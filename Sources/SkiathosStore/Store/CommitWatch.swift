/// A watch for the commits of other processes, from
/// ``PersistentStore/watchCommits(every:_:)``.
public protocol CommitWatch: AnyObject, Sendable {
    /// Looks for commits at once, and reports what it finds before it returns.
    ///
    /// The first look finds none: it records what was committed before. Called from any thread.
    func check()
    /// Ends the watch and releases what it holds: when this returns, no commit is being reported,
    /// and none will be.
    ///
    /// Called from any thread. Calling it again has no effect.
    func end()
}

/// What a ``CommitWatch`` reports.
public enum CommitWatchEvent: Sendable {
    /// Another process has committed, or may have.
    case committed
    /// The watch could not look; it tries again after the interval.
    ///
    /// Reported once for failures of one kind in a row.
    case failed(any Error)
}

extension PersistentStore {
    /// `nil`: the backend does not see the commits of other processes.
    public func watchCommits(
        every interval: Duration, _ report: @escaping @Sendable (CommitWatchEvent) -> Void
    ) -> (any CommitWatch)? {
        nil
    }
}
