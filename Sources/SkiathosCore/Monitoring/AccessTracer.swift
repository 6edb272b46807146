/// Makes a span for each read and write of a store.
///
/// ```swift
/// import SkiathosTracing          // with the trait Tracing
///
/// configuration.tracer = DistributedTracer()
/// ```
///
/// `SkiathosTracing` has one for swift-distributed-tracing; another tracing library needs one of
/// its own. A store without a tracer pays nothing for it.
public protocol AccessTracer: Sendable {
    /// Begins a span, in the task that has called `read` or `write` and before the call waits.
    ///
    /// It must be short and must not call the store.
    func begin(_ access: TracedAccess) -> any AccessSpan
}

/// The span of one access.
///
/// Its calls come one after the other, but from different threads.
public protocol AccessSpan: Sendable {
    /// Called once the access has a connection, or the write permit; never if it is refused
    /// before.
    func admitted()
    /// Called once, when the access has ended: a write when it is acknowledged.
    ///
    /// - Parameter error: The error of the access, if it has failed. Its message may name tables
    ///   and columns.
    func end(_ error: (any Error)?)
}

/// A read or write, as an ``AccessTracer`` sees it.
public struct TracedAccess: Sendable, Hashable {
    /// The verb.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A `read`.
        case read
        /// A `write` or `enqueue`.
        case write
    }

    /// The verb.
    public var kind: Kind
    /// The name of the store: `Configuration.label`.
    public var store: String
    /// The source location of the call in the application, as `file:line`.
    public var place: String
    /// How far a write has gone when it ends; `nil` for a read.
    public var acknowledgement: Acknowledgement?

    /// Describes an access.
    public init(
        kind: Kind, store: String, place: String, acknowledgement: Acknowledgement? = nil
    ) {
        self.kind = kind
        self.store = store
        self.place = place
        self.acknowledgement = acknowledgement
    }
}
