/// An error of a persistence service.
///
/// Errors of the data access layer are passed on: a refusal by the store, such as a violated
/// constraint, is a `StoreError`; a wrong call is a `DataAccessError`.
public struct PersistenceServiceError: Error, Sendable {
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

        /// The store is not open yet, and the service does not wait for it.
        public static let notReady = Self(rawValue: "notReady")
        /// The store could not be opened.
        public static let openingFailed = Self(rawValue: "openingFailed")
        /// Some of the IDs have no row.
        public static let missingIDs = Self(rawValue: "missingIDs")
        /// Pending changes conflict with changes made elsewhere.
        public static let conflict = Self(rawValue: "conflict")
        /// The closure of a merge policy returned a value for a conflict about a whole row.
        public static let invalidResolution = Self(rawValue: "invalidResolution")
        /// A service was called inside a closure that was passed to it or to another one of
        /// its tree.
        public static let nestedCall = Self(rawValue: "nestedCall")
    }

    /// The kind of failure.
    public var code: Code
    /// What was expected, what was found and what to do about it, without values of rows.
    public var message: String
    /// The error that led to this one, if there is one.
    public var cause: (any Error)?
    /// The place in the source that reported the error, as `file:line`.
    public var place: String
    /// All conflicts, for the code `conflict`; empty for others.
    public var conflicts: [Conflict] = []
    /// The IDs without a row, for the code `missingIDs`; empty for others.
    public var missingIDs: [any Hashable & Sendable] = []

    /// Makes an error; the place is the caller's unless given.
    public init(
        _ code: Code, _ message: String, cause: (any Error)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.code = code
        self.message = message
        self.cause = cause
        self.place = "\(file):\(line)"
    }
}

extension PersistenceServiceError: CustomStringConvertible {
    /// The message, the code and the cause.
    public var description: String {
        guard let cause else { return "\(message) (\(code))" }
        return "\(message) (\(code)) Cause: \(cause)"
    }
}
