/// The result of a shutdown with a deadline.
///
/// It describes the shutdown as a whole, from the first call on. A second call, such as one
/// with an earlier deadline, reports the same as the first if both see its end.
public struct ShutdownReport: Sendable {
    /// The name of the store: `Configuration.label`, by default `main`.
    public var label = "main"
    /// Whether all accepted accesses have finished, and the files were closed.
    public var isClosed = false
    /// Whether everything that was merged survives the loss of power.
    ///
    /// Also `true` if nothing was merged since the last sync, even where closing has failed,
    /// for example because another program held a lock.
    public var isDurable = false
    /// How many accepted reads and writes were refused when a deadline had passed, by any of
    /// the calls.
    ///
    /// Each has failed with the code `closed`, and its closure has not run.
    public var refused = 0
    /// How many closures of reads and writes were still running at the end.
    ///
    /// Their statements were interrupted. What such a write does from then on is rolled back.
    public var unfinished = 0
    /// The error of syncing or closing the store, if there was one.
    public var failure: (any Error)?
    /// The time from the first call, be it `shutDown(within:)` or `close()`, until the files
    /// were closed, or until the call that reports stopped waiting.
    public var duration = Duration.zero

    /// Creates a report in which nothing is done yet, also for tests of code that takes one.
    public init() {}

    /// Whether nothing was left undone.
    public var isComplete: Bool { isClosed && refused == 0 && failure == nil }
}

extension ShutdownReport: CustomStringConvertible {
    /// A message for logs; it names the store unless its label is `main`.
    public var description: String {
        let store = label == "main" ? "store" : "store \(label)"
        if isComplete {
            return "The \(store) was closed after \(duration); nothing was left undone."
        }
        var parts = [isClosed ? "the \(store) was closed" : "the \(store) could not be closed"]
        parts.append(
            isDurable ? "what was merged is on disk" : "what was merged may not be on disk")
        if refused > 0 { parts.append("\(refused) accepted calls were refused") }
        if unfinished > 0 { parts.append("\(unfinished) closures were still running") }
        if let failure { parts.append("this failed: \(failure)") }
        return "After \(duration): \(parts.joined(separator: "; "))."
    }
}
