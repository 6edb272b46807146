/// What a read has that has reserved a connection.
public struct ReadReservation: Equatable, Sendable {
    /// The number of its version.
    ///
    /// If it is odd, a commit runs: the read has the version with the number before or after it, which
    /// ``StoreSession/committedVersion`` tells in its first statement, and until then only what is the
    /// same in both is known.
    public let version: UInt64
    /// Whether the connection holds a snapshot of the version; otherwise its first statement takes it.
    public let hasSnapshot: Bool

    /// Makes a reservation, for a backend.
    public init(version: UInt64, hasSnapshot: Bool) {
        self.version = version
        self.hasSnapshot = hasSnapshot
    }
}
