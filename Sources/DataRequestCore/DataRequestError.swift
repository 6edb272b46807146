#if RequestCore
public import HTTPTypes
public import SkiathosPlatformFoundation

/// An error of a request.
///
/// The message says what was requested, what was received and what to do. It never contains
/// headers, bodies, query values or the user information of an address.
public struct DataRequestError: Error, Sendable {
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

        /// The path would leave the base URL, or is not one.
        public static let invalidPath = Self(rawValue: "invalidPath")
        /// The body could not be made, or gave another number of bytes than said.
        public static let invalidBody = Self(rawValue: "invalidBody")
        /// No connection could be made, nothing was sent over it, or the server says that it has
        /// not processed the request.
        public static let connectionFailed = Self(rawValue: "connectionFailed")
        /// The connection ended, or failed, after the request was sent and before the answer ended.
        public static let connectionLost = Self(rawValue: "connectionLost")
        /// A limit of time has passed.
        public static let timedOut = Self(rawValue: "timedOut")
        /// The certificate of the server is not trusted.
        public static let untrusted = Self(rawValue: "untrusted")
        /// The certificate or key of the server is not one that is pinned.
        public static let pinMismatch = Self(rawValue: "pinMismatch")
        /// The answer is not valid HTTP, or of another length than announced.
        public static let malformedResponse = Self(rawValue: "malformedResponse")
        /// The status is not one that the request expects.
        public static let unexpectedStatus = Self(rawValue: "unexpectedStatus")
        /// The answer is of a type that no serializer reads, or the wrong one.
        public static let unexpectedContentType = Self(rawValue: "unexpectedContentType")
        /// The answer could not be decoded.
        public static let undecodable = Self(rawValue: "undecodable")
        /// The answer is larger than allowed.
        public static let tooLarge = Self(rawValue: "tooLarge")
        /// The service shuts down, or has.
        public static let shutDown = Self(rawValue: "shutDown")
    }

    /// Whether sending the request again may help.
    public enum Retry: Sendable, Hashable {
        /// The same request would fail again.
        case no
        /// Another attempt may succeed, at once or later.
        case later
        /// Another attempt may succeed after the time that the server named.
        case after(Duration)
    }

    /// The kind of failure.
    public var code: Code
    /// What was asked, what came and what to do about it, without secrets.
    public var message: String
    /// Whether trying again makes sense.
    public var retry: Retry
    /// The status that came, if an answer came.
    public var status: HTTPResponse.Status?
    /// The headers that came, never part of a message; empty if no answer came.
    public var headers: HTTPFields = [:]
    /// The start of the body that came with an unexpected status, never part of a message.
    public var body = Data()
    /// The decoded body of an unexpected status, never part of a message.
    public var failureValue: (any Sendable)?
    /// What is wrong with the certificate of the server, where the code is `untrusted` and it is known.
    public var certificateProblem: CertificateProblem?
    /// The error that led to this one, if there is one.
    public var cause: (any Error)?
    /// Whether it is known that nothing of the request has reached the server.
    package var isUnsent = false
    /// The place in the source that reported the error, as `file:line`.
    public var place: String

    /// Makes an error; the place is the caller's unless given.
    public init(
        _ code: Code, _ message: String, retry: Retry = .no,
        status: HTTPResponse.Status? = nil, cause: (any Error)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.code = code
        self.message = message
        self.retry = retry
        self.status = status
        self.cause = cause
        self.place = "\(file):\(line)"
    }
}

extension DataRequestError: CustomStringConvertible {
    /// The message, the code and the cause.
    ///
    /// A cause from another module appears as its type alone, since its text may contain
    /// secrets.
    public var description: String {
        guard let cause else { return "\(message) (\(code))" }
        guard let known = cause as? DataRequestError else {
            return "\(message) (\(code)) Cause: \(type(of: cause))"
        }
        return "\(message) (\(code)) Cause: \(known)"
    }
}

extension DataRequestError: CustomReflectable {
    /// A mirror of what may be shown: without headers, body and cause.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["code": code, "message": message, "retry": retry, "place": place])
    }
}
#endif
