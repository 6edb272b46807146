public import SkiathosStore

/// The condition of a store at one moment: whether it works, and what waits.
///
/// ```swift
/// let health = dal.health
/// if !health.isHealthy { logger.error("The store is \(health)") }
/// // … failing: The WAL could not be synced. (inputOutput); a WAL of 16512 bytes; 3 writes and 0 reads wait
/// ```
///
/// It is a value, and does not keep the store open.
public struct StoreHealth: Sendable, Hashable {
    /// Whether a store takes reads and writes.
    ///
    /// New states may be added, so a `switch` needs a `default`.
    public struct State: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name of the state, for logs and metrics.
        public let rawValue: String
        /// Makes a state.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name of the state.
        public var description: String { rawValue }

        /// Reads and writes are taken.
        public static let open = Self(rawValue: "open")
        /// The store was opened with `Configuration.isReadOnly`: reads are taken.
        public static let readOnly = Self(rawValue: "readOnly")
        /// A sync has failed, or the files were removed, replaced or changed, as
        /// ``StoreHealth/failure`` says: no write is acknowledged as durable until the store is
        /// opened again.
        public static let failing = Self(rawValue: "failing")
        /// `close()` or `shutDown(within:)` was called: accepted calls are finished, and new ones
        /// refused.
        public static let closing = Self(rawValue: "closing")
        /// The files are closed.
        public static let closed = Self(rawValue: "closed")
        /// The process was forked after the store was opened; the child has to open it itself.
        ///
        /// Nothing else is known in the child.
        public static let forked = Self(rawValue: "forked")
    }

    /// A read that is under way.
    public struct Read: Sendable, Hashable {
        /// The source location of the call, as `file:line`.
        public var place: String
        /// How long ago it got its connection, to within a few milliseconds.
        public var age: Duration

        /// Makes a read, for tests of code that takes one.
        public init(place: String, age: Duration) {
            self.place = place
            self.age = age
        }
    }

    /// Whether the store takes reads and writes.
    public var state: State
    /// Why nothing that is written counts as durable any more, or why closing has failed; `nil` if
    /// neither is so.
    ///
    /// Its code is `inputOutput` where a sync has failed, and `interference` where the files were
    /// removed, replaced, truncated or changed.
    public var failure: StoreError?
    /// The length of the WAL after the last commit, in bytes; its file may be longer.
    ///
    /// It is `nil` before the first commit since the opening, after closing, and where no WAL is
    /// written: in memory, and in a store that was opened for reading only.
    public var walSize: Int?
    /// How many calls wait for the write permit: writes, and those of `flush`, `reset`, `restore`
    /// and `close`; in memory also reads, which wait in the same queue.
    public var waitingWrites: Int
    /// How many reads wait for a connection.
    public var waitingReads: Int
    /// The read that has been under way for the longest time; `nil` if there is none.
    public var oldestRead: Read?

    /// Creates a report, for tests of code that takes one.
    public init(
        state: State = .open, failure: StoreError? = nil, walSize: Int? = nil,
        waitingWrites: Int = 0, waitingReads: Int = 0, oldestRead: Read? = nil
    ) {
        self.state = state
        self.failure = failure
        self.walSize = walSize
        self.waitingWrites = waitingWrites
        self.waitingReads = waitingReads
        self.oldestRead = oldestRead
    }

    /// Whether the store does all that it was opened for: it is open, be it for reading only.
    public var isHealthy: Bool { state == .open || state == .readOnly }
}

extension StoreHealth: CustomStringConvertible {
    /// One line for logs, without values of rows.
    public var description: String {
        var parts = ["\(state)"]
        if let failure {
            // The cause of an error is a text of the system, which may have several lines.
            let lines = "\(failure)".split(whereSeparator: \.isNewline)
            parts[0] += ": " + lines.joined(separator: " ")
        }
        if let walSize { parts.append("a WAL of \(walSize) bytes") }
        parts.append("\(waitingWrites) writes and \(waitingReads) reads wait")
        if let oldestRead {
            parts.append("the read of \(oldestRead.place) has been running for \(oldestRead.age)")
        }
        return parts.joined(separator: "; ")
    }
}
