#if Lifecycle
public import SkiathosCore

/// A shutdown that could not do everything inside its deadline.
public struct IncompleteShutdown: Error, CustomStringConvertible {
    /// What was done and what was not.
    public let report: ShutdownReport

    /// Makes an error, for tests of code that meets one.
    public init(report: ShutdownReport) { self.report = report }

    /// The report as a sentence.
    public var description: String { report.description }
}
#endif
