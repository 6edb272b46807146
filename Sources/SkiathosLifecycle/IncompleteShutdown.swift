#if Lifecycle
public import SkiathosCore

/// A shutdown that could not finish everything within its deadline.
public struct IncompleteShutdown: Error, CustomStringConvertible {
    /// The finished and the unfinished work.
    public let report: ShutdownReport

    /// Makes an error, for tests of code that handles one.
    public init(report: ShutdownReport) { self.report = report }

    /// The report as a sentence.
    public var description: String { report.description }
}
#endif
