/// An error of a service locator, with a code that a program can act on.
///
/// ```swift
/// do {
///     try await locator.verify()
/// } catch let error as ServiceLocatorError where error.code == .verificationFailed {
///     for problem in error.problems { print(problem.code, problem.path) }
/// }
/// ```
///
/// The same mistakes give the same errors in debug and release builds; none of them traps.
public struct ServiceLocatorError: Error, Sendable {
    /// The kind of failure.
    ///
    /// New codes may be added, so a `switch` needs a `default`.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name of the code, for logs and metrics.
        public let rawValue: String

        /// Makes a custom code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The stable name of the code.
        public var description: String { rawValue }
    }

    /// The kind of failure.
    public var code: Code

    /// What was expected, what was found and what to do about it.
    public var message: String

    /// The services concerned, from the one that was resolved to the one that failed.
    public var path: [String]

    /// The places of the registrations concerned, as `file:line`.
    public var places: [String]

    /// The error that led to this one.
    public var cause: (any Error)?

    /// The single failures, where several are reported together.
    public var problems: [ServiceLocatorError]

    /// Makes an error.
    public init(
        _ code: Code, _ message: String, path: [String] = [], places: [String] = [],
        cause: (any Error)? = nil, problems: [ServiceLocatorError] = []
    ) {
        self.code = code
        self.message = message
        self.path = path
        self.places = places
        self.cause = cause
        self.problems = problems
    }
}

extension ServiceLocatorError: CustomStringConvertible {
    /// The message with the code, the cause, and the single failures on lines of their own.
    public var description: String {
        var text = "\(message) (\(code))"
        if let cause { text += " Cause: \(cause)" }
        for (number, problem) in problems.enumerated() {
            text += "\n\(number + 1). \(problem)"
        }
        return text
    }
}
