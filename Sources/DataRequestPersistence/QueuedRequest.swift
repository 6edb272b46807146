#if RequestCore
public import SkiathosPlatformFoundation
public import SkiathosCore

/// A request that waits in the store to be delivered.
///
/// It is an entity like any other: it can be queried, counted and observed. It is made by
/// ``SkiathosCore/WriteContext/enqueue(_:key:maximumBodySize:)`` and removed when it was delivered.
public struct QueuedRequest: Sendable, Hashable {
    /// The ID, which grows with the order of enqueueing.
    public var id: EntityID<QueuedRequest> = .unassigned
    /// The ordering key: requests with the same key are delivered in order.
    public var key: String = ""
    /// Whether it is pending or dead-lettered.
    public var state: State = .pending
    /// The method, such as `PATCH`.
    public var method: String = "POST"
    /// The path below the base URL.
    public var path: String = ""
    /// The items of the query.
    public var query: [Field] = []
    /// The headers, without credentials.
    public var headers: [Field] = []
    /// The bytes of the body.
    public var body: Data?
    /// The media type of the body.
    public var contentType: String?
    /// The name for logs, metrics and spans.
    public var name: String?
    /// The `Idempotency-Key` of every delivery, by which a server recognises a repetition.
    public var idempotencyKey: String = ""
    /// How many deliveries have failed.
    public var attempts: Int = 0
    /// How many failed deliveries have reached the server.
    public var attemptsAtServer: Int = 0
    /// When the next delivery is due; nil is at once.
    public var nextAttempt: Date?
    /// When the last delivery has failed.
    public var lastAttempt: Date?
    /// The code of the last failure, such as `timedOut`.
    public var lastError: String?
    /// The status of the last unsuccessful answer.
    public var lastStatus: Int?
    /// When it was enqueued.
    public var created: Date = Date(timeIntervalSinceReferenceDate: 0)

    /// The state of a queued request.
    public enum State: String, Sendable, Hashable {
        /// It waits for its delivery.
        case pending
        /// A dead letter: refused permanently, until it is retried or discarded.
        case deadLetter
    }

    /// A name and a value, of the query or of a header.
    public struct Field: Sendable, Hashable, Codable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String?

        /// Makes a field.
        public init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }
}
#endif
