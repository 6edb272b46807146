#if Lifecycle
public import SkiathosCore

/// A shutdown that could not do everything inside its deadline.
public struct IncompleteShutdown: Error, CustomStringConvertible {
    /// What was done and what was not.
    public let report: ShutdownReport

    /// The report as a sentence.
    public var description: String { report.description }
}
#endif
