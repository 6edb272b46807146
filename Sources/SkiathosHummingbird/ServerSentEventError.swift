#if Hummingbird
/// An error of server-sent events.
public struct ServerSentEventError: Error, Sendable, Hashable {
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

        /// A text of an event has a character that cannot be sent in its place.
        public static let invalidText = Self(rawValue: "invalidText")
    }

    /// The kind of failure.
    public var code: Code
    /// What was expected, what was found and what to do about it.
    public var message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ServerSentEventError: CustomStringConvertible {
    /// The message and the code.
    public var description: String { "\(message) (\(code))" }
}
#endif
