/// An error between the caller and the store: a closed store, a call in the wrong place, a
/// missing entity or ID.
///
/// A refusal by the store itself, such as a violated constraint, is a `StoreError`. Cancelling
/// a task that waits or reads throws a `CancellationError`.
public struct DataAccessError: Error, Sendable, Hashable {
    /// The kind of failure.
    ///
    /// New codes may be added, so a `switch` needs a `default`.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name of the code, for logs and metrics.
        public let rawValue: String
        /// Makes a code.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name of the code.
        public var description: String { rawValue }

        /// The data access layer was closed.
        public static let closed = Self(rawValue: "closed")
        /// `read` or `write` was called inside a closure of the same data access layer.
        public static let nestedAccess = Self(rawValue: "nestedAccess")
        /// Closures of several stores use each other's store, and each would wait for the other.
        public static let deadlock = Self(rawValue: "deadlock")
        /// A context was used after its closure had ended.
        public static let contextEnded = Self(rawValue: "contextEnded")
        /// An entity is not among those that the data access layer was opened with.
        public static let unknownEntity = Self(rawValue: "unknownEntity")
        /// No row has the ID.
        public static let notFound = Self(rawValue: "notFound")
        /// A value that has no ID was given where one is needed, or the ID was changed.
        public static let invalidID = Self(rawValue: "invalidID")
        /// Every integer ID has been allocated.
        public static let idsExhausted = Self(rawValue: "idsExhausted")
        /// A limit, an offset, or the columns of a request cannot be used.
        public static let invalidRequest = Self(rawValue: "invalidRequest")
        /// A predicate or a sort descriptor of Foundation has an expression that a store
        /// cannot compute.
        public static let unsupportedPredicate = Self(rawValue: "unsupportedPredicate")
        /// Too many writes wait already.
        public static let tooManyWaitingWrites = Self(rawValue: "tooManyWaitingWrites")
        /// The process was forked after the store was opened.
        public static let forkedProcess = Self(rawValue: "forkedProcess")
        /// The store rolled back the transaction after an earlier failure that the closure
        /// swallowed, or could not commit writes that this one may have seen.
        public static let transactionLost = Self(rawValue: "transactionLost")
        /// The call is for another backend than that of the store.
        public static let otherBackend = Self(rawValue: "otherBackend")
        /// A query exceeds the ``QueryBudget`` that was set for it.
        public static let budgetExceeded = Self(rawValue: "budgetExceeded")
        /// Values do not meet the requirements of their entities.
        public static let validationFailed = Self(rawValue: "validationFailed")
        /// Hooks led to changes that led to hooks, without an end.
        public static let endlessHooks = Self(rawValue: "endlessHooks")
    }

    /// The kind of failure.
    public var code: Code
    /// What was expected, what was found and what to do about it.
    public var message: String
    /// The source location that reported the error, as `file:line`.
    public var place: String
    /// All requirements that were not met, for the code `validationFailed`; empty for others.
    public var validationFailures: [ValidationFailure] = []

    /// Creates an error; the source location is the caller's unless given.
    public init(
        _ code: Code, _ message: String, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.code = code
        self.message = message
        self.place = "\(file):\(line)"
    }
}

extension DataAccessError: CustomStringConvertible {
    /// The message and the code.
    public var description: String { "\(message) (\(code))" }
}
