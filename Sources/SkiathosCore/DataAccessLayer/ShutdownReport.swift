/// What a shutdown with a deadline has come to.
///
/// It is about the shutdown as a whole, from the first call on: a second call, such as one in
/// greater hurry, reports the same as the first if both see its end.
public struct ShutdownReport: Sendable {
    /// Whether all that was accepted was done, and the files were given up.
    public var isClosed = false
    /// Whether everything that was merged survives the loss of power.
    ///
    /// Also `true` if nothing was merged since the last sync, even where closing has failed, for
    /// example since another program held a lock.
    public var isDurable = false
    /// How many reads and writes were accepted, but turned away when a deadline had passed, by
    /// whichever call.
    ///
    /// Each was told so by an error with the code `closed`, and its closure has not run.
    public var refused = 0
    /// How many closures of reads and writes were still running at the end.
    ///
    /// Their statements were interrupted. What such a write does from then on comes to nothing.
    public var unfinished = 0
    /// What failed while the store was brought to disk or closed, if anything did.
    public var failure: (any Error)?
    /// How long it took from the first call, be it `shutDown(within:)` or `close()`, until the files
    /// were given up, or until the call that reports gave up waiting.
    public var duration = Duration.zero

    /// Makes a report in which nothing is done yet, also for tests of code that takes one.
    public init() {}

    /// Whether nothing was left undone.
    public var isComplete: Bool { isClosed && refused == 0 && failure == nil }
}

extension ShutdownReport: CustomStringConvertible {
    /// A sentence for the log.
    public var description: String {
        if isComplete { return "The store was closed after \(duration); nothing was left undone." }
        var parts = [isClosed ? "the store was closed" : "the store could not be closed"]
        parts.append(
            isDurable ? "what was merged is on disk" : "what was merged may not be on disk")
        if refused > 0 { parts.append("\(refused) accepted calls were turned away") }
        if unfinished > 0 { parts.append("\(unfinished) closures were still running") }
        if let failure { parts.append("this failed: \(failure)") }
        return "After \(duration): \(parts.joined(separator: "; "))."
    }
}
