#if Lifecycle
public import SkiathosCore

/// What has become of the work and the stores of a reactor.
///
/// ```swift
/// let report = try await AppStateReactor(accounts, search).run { try await serve() }
/// print(report)
/// // The store accounts was closed after 0.004 seconds; nothing was left undone. The store search was …
/// ```
public struct ReactorReport: Sendable {
    /// The report of each store, in the order in which the reactor got them.
    public var stores: [ShutdownReport]
    /// Whether the work had ended before the stores were shut down.
    ///
    /// If not, calls of the stores that it made after that were refused.
    public var workEnded: Bool
    /// The error that the work has thrown after it was asked to stop; `nil` for a
    /// `CancellationError`.
    public var workFailure: (any Error)?

    /// Makes a report, for tests of code that takes one.
    public init(
        stores: [ShutdownReport], workEnded: Bool = true, workFailure: (any Error)? = nil
    ) {
        self.stores = stores
        self.workEnded = workEnded
        self.workFailure = workFailure
    }

    /// Whether nothing was left undone.
    public var isComplete: Bool {
        workEnded && workFailure == nil && stores.allSatisfy(\.isComplete)
    }
}

extension ReactorReport: CustomStringConvertible {
    /// A message for logs: a sentence for each store, and before them one for work that has not
    /// ended or has failed.
    public var description: String {
        var sentences = stores.map(\.description)
        if let workFailure {
            sentences.insert("The work failed while it stopped: \(workFailure).", at: 0)
        }
        if !workEnded {
            sentences.insert("The work had not ended when the stores were shut down.", at: 0)
        }
        return sentences.joined(separator: " ")
    }
}
#endif
