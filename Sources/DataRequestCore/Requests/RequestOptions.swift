#if RequestCore
/// How the service handles one request; no option is sent.
public struct RequestOptions: Sendable {
    /// How long the parts of a request may take; nil is no limit.
    ///
    /// A limit that is not above zero passes when its part begins.
    public struct TimeLimits: Sendable {
        /// From sending an attempt until the head of its answer.
        public var response: Duration?
        /// Between two pieces of a body, in either direction.
        public var idle: Duration?
        /// From the call to the end of the body, all attempts and waits included.
        public var total: Duration?

        /// Makes limits; by default a minute for the head and between pieces, and none for all.
        public init(
            response: Duration? = .seconds(60), idle: Duration? = .seconds(60),
            total: Duration? = nil
        ) {
            self.response = response
            self.idle = idle
            self.total = total
        }

        /// The shorter of the limits for parts that can pass later than they start.
        var shortestPart: Duration? {
            [response, idle].compactMap { $0 }.filter { $0 > .zero }.min()
        }
    }

    /// How urgent a request is, for the tasks that serve it and for the server (RFC 9218).
    public enum Priority: Sendable {
        /// For work that can wait, such as prefetching: the header `Priority: u=5`.
        case low
        /// The priority of the task that has called; no header.
        case normal
        /// For what a user waits for: the header `Priority: u=1`.
        case high

        /// The priority of the task that serves the request; nil takes the caller's.
        var taskPriority: TaskPriority? {
            switch self {
            case .low: .low
            case .normal: nil
            case .high: .high
            }
        }

        /// The value of the header `Priority`; nil leaves it out.
        var header: String? {
            switch self {
            case .low: "u=5"
            case .normal: nil
            case .high: "u=1"
            }
        }
    }

    /// The limits of time.
    public var timeLimits = TimeLimits()
    /// How urgent the request is.
    public var priority = Priority.normal
    /// A name for logs, metrics and spans with few values, such as `tracks.list`; not the path.
    public var name: String?
    /// Whether the request goes to an external host: without the environment's headers, without
    /// credentials, and beyond the base host.
    public var isExternal = false

    /// What cancels the request, besides its task.
    public var token: RequestToken?
    /// When the request is retried; nil uses the service's configuration.
    public var retry: RetryPolicy?
    /// Which redirects are followed; nil uses the service's configuration.
    public var redirects: RedirectPolicy?
    /// Called with the progress of the body; the total is nil while it is unknown.
    public var onUploadProgress: (@Sendable (_ sent: Int64, _ total: Int64?) -> Void)?
    /// Whether the body is compressed with gzip.
    public var compressesBody = false
    /// The largest answer that is held in memory, in bytes; nil is the limit of the service.
    public var maximumBodySize: Int?

    /// Makes options with the defaults.
    public init() {}
}
#endif
