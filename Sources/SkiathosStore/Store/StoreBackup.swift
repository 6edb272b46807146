/// A copy of a store that is being made, in steps.
///
/// It holds one snapshot of the store from the beginning. The complete copy appears at its
/// path when ``finish()`` returns. Before that, or without that call, nothing appears there.
public protocol StoreBackup: AnyObject {
    /// Copies the next part, and returns the progress.
    ///
    /// Not called again once everything is copied. It may block, but not for long: the caller
    /// decides after each step whether to continue.
    func step() throws -> StoreProgress
    /// Moves the copy into place, when everything is copied.
    ///
    /// After that it survives a loss of power.
    ///
    /// - Throws: ``StoreError``; the copy is then removed, unless only the name of the
    ///   complete copy may not survive a loss of power, which the message says.
    func finish() throws
    /// Cancels the backup and removes the partial copy.
    ///
    /// Has no effect after ``finish()``.
    func cancel()
}

/// The progress of a copy.
public struct StoreProgress: Sendable, Hashable {
    /// How much is done: bytes of a backup, rows of what is restored.
    public var completed: Int
    /// How much there is to do.
    public var total: Int

    /// Makes a report.
    public init(completed: Int, total: Int) {
        self.completed = completed
        self.total = total
    }

    /// The part that is done, from 0 to 1.
    public var fraction: Double { total == 0 ? 1 : Double(completed) / Double(total) }
}
