#if RequestCore
public import HTTPTypes
public import SkiathosPlatformFoundation

/// A request that is built up value by value and sent by a service.
///
/// ```swift
/// let request = DataRequest(.get, "tracks")
///     .query("genre", "Jazz")
///     .header(.acceptLanguage, "en")
///     .expecting(.ok)
/// let tracks = try await service.decode([Track].self, from: request)
/// // GET https://api.example.com/v1/tracks?genre=Jazz
/// ```
///
/// A request is a value: each call returns a changed copy, and one request may be sent many
/// times.
public struct DataRequest: Sendable {
    /// Where the request goes.
    package enum Target: Sendable, Hashable {
        /// A path below the environment's base URL.
        case path(String)
        /// An address at another host, asked without credentials.
        case external(URL)
    }

    /// The method.
    public var method: HTTPRequest.Method
    package var target: Target
    /// The items of the query in their order, not yet percent-encoded.
    public var query: [QueryItem] = []
    /// Headers of this request, which win over those of the environment.
    public var headers: HTTPFields = [:]
    /// The body.
    public var body: RequestBody = .none
    /// The statuses that are a success, 2xx by default; others fail with `unexpectedStatus`.
    public var expectedStatuses: ExpectedStatuses = .successful
    /// Limits of time, urgency and name.
    public var options = RequestOptions()
    /// What was wrong when the request was built; thrown when it is sent.
    package var failure: DataRequestError?
    /// The type that the body of an unexpected status is decoded to; nil uses the service's.
    public var failureBody: FailureBody?

    /// Makes a request for a path below the base URL of the service's environment.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: Segments joined by `/`, not percent-encoded, without query; a path that would
    ///     leave the base URL, such as `../admin` or `//other.host`, is refused with `invalidPath`
    ///     when it is sent.
    public init(_ method: HTTPRequest.Method = .get, _ path: String) {
        self.method = method
        target = .path(path)
    }

    /// Makes a request for an address at an external host, which gets no credentials, no cookies and
    /// no headers of the environment.
    public init(_ method: HTTPRequest.Method = .get, external url: URL) {
        self.method = method
        target = .external(url)
        options.isExternal = true
    }
}

/// A name and a value of a query.
public struct QueryItem: Sendable, Hashable {
    /// The name, not percent-encoded.
    public var name: String
    /// The value, not percent-encoded; nil leaves out the equals sign.
    public var value: String?

    /// Makes an item.
    public init(_ name: String, _ value: String?) {
        self.name = name
        self.value = value
    }
}

/// The statuses that a request counts as a success.
public struct ExpectedStatuses: Sendable {
    private let contains: @Sendable (Int) -> Bool

    /// Statuses for which the closure says so.
    public init(where contains: @escaping @Sendable (Int) -> Bool) { self.contains = contains }

    /// All from 200 to 299.
    public static let successful = ExpectedStatuses { (200..<300).contains($0) }
    /// Every status.
    public static let any = ExpectedStatuses { _ in true }
    /// The given ones alone.
    public static func only(_ statuses: HTTPResponse.Status...) -> ExpectedStatuses {
        let codes = Set(statuses.map(\.code))
        return ExpectedStatuses { codes.contains($0) }
    }
    /// Those of a range, such as `200..<300`.
    public static func range(_ codes: Range<Int>) -> ExpectedStatuses {
        ExpectedStatuses { codes.contains($0) }
    }

    /// These and one more.
    public func or(_ status: HTTPResponse.Status) -> ExpectedStatuses {
        let code = status.code
        return ExpectedStatuses { [contains] in $0 == code || contains($0) }
    }

    /// Whether the status is a success.
    public func contains(_ status: HTTPResponse.Status) -> Bool { contains(status.code) }
}
#endif
