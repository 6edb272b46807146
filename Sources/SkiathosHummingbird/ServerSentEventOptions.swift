#if Hummingbird
import SkiathosLocks

/// How an event stream is kept open, and when a client connects again.
public struct ServerSentEventOptions: Sendable, Hashable {
    /// How often a comment is sent; `nil`, or a time that is not above 0, for never.
    ///
    /// By it a connection that is dead without having been closed is noticed, and proxies see that
    /// the stream is in use. 15 seconds unless set.
    public var heartbeat: Duration?
    /// How long the client waits before it connects again; `nil` leaves it to the client.
    ///
    /// It is sent in whole milliseconds, from 0 to a hundred years. 2 seconds unless set.
    public var retry: Duration?

    /// Makes options.
    ///
    /// - Parameters:
    ///   - heartbeat: How often a comment is sent.
    ///   - retry: How long the client waits before it connects again.
    public init(heartbeat: Duration? = .seconds(15), retry: Duration? = .seconds(2)) {
        self.heartbeat = heartbeat
        self.retry = retry
    }

    /// The time between two comments, if there are any, in the range for which clocks can wait.
    var interval: Duration? {
        heartbeat.flatMap { $0 > .zero ? $0.waitable : nil }
    }

    /// What a stream begins with: it makes the response known at once, whenever the first event
    /// comes.
    var preamble: String {
        guard let retry else { return Self.comment }
        let (seconds, attoseconds) = retry.waitable.components
        return "retry: \(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)\n\n"
    }

    /// A line that clients ignore.
    static var comment: String { ":\n\n" }
}
#endif
