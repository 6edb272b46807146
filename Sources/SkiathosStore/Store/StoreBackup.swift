/// A copy of a store that is being made, in steps.
///
/// It holds one version of the store from the beginning. The copy appears at its place, whole, when
/// ``finish()`` returns, and nothing appears there before or if that is never called.
public protocol StoreBackup: AnyObject {
    /// Copies the next part, and returns the progress.
    ///
    /// Not called again once everything is copied. It may block, but not for long: the caller
    /// decides after each step whether to continue.
    func step() throws -> StoreProgress
    /// Moves the copy into place, when everything is copied.
    ///
    /// It survives the loss of power then.
    ///
    /// - Throws: ``StoreError``; nothing is left behind then, unless only the name of the complete
    ///   copy may not survive the loss of power, which the message says.
    func finish() throws
    /// Gives up and leaves nothing behind.
    ///
    /// Does nothing after ``finish()``.
    func cancel()
}

/// How far a copy has come.
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
