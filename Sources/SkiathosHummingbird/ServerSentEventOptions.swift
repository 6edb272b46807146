#if Hummingbird
/// How an event stream is kept open, and when a client connects again.
public struct ServerSentEventOptions: Sendable, Hashable {
    /// How often a comment is sent; `nil` for never.
    ///
    /// By it a connection that is dead without having been closed is noticed, and proxies see that
    /// the stream is in use. 15 seconds unless set.
    public var heartbeat: Duration?
    /// How long the client waits before it connects again; `nil` leaves it to the client.
    ///
    /// It is sent in whole milliseconds. 2 seconds unless set.
    public var retry: Duration?

    /// Makes options.
    ///
    /// - Parameters:
    ///   - heartbeat: How often a comment is sent; not above 0 stops the program.
    ///   - retry: How long the client waits before it connects again; below 0 stops the program.
    public init(heartbeat: Duration? = .seconds(15), retry: Duration? = .seconds(2)) {
        precondition(
            heartbeat.map { $0 > .zero } ?? true,
            "The heartbeat of an event stream must be above 0.")
        precondition(
            retry.map { $0 >= .zero } ?? true, "The retry of an event stream must not be below 0.")
        self.heartbeat = heartbeat
        self.retry = retry
    }

    /// What a stream begins with: it makes the response known at once, whenever the first event
    /// comes.
    var preamble: String {
        guard let retry else { return Self.comment }
        let (seconds, attoseconds) = retry.components
        return "retry: \(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)\n\n"
    }

    /// A line that clients ignore.
    static var comment: String { ":\n\n" }
}
#endif
