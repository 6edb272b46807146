import Synchronization

/// Tells from any thread whether a connection that reads holds a snapshot, and since when.
final class SnapshotHold: Sendable {
    /// No renewal comes after it.
    private static let none = UInt64.max

    /// The number of the last renewal before the snapshot was taken.
    ///
    /// Set by whoever has the connection.
    private let renewal = Atomic<UInt64>(none)

    /// Says that a snapshot is about to be taken.
    ///
    /// Before it is taken: whoever sees no snapshot here can rely on it that the next one sees all
    /// that was done to the log by then.
    func begin(_ number: UInt64) { renewal.store(number, ordering: .sequentiallyConsistent) }

    /// Says that the snapshot was given up.
    func end() { renewal.store(Self.none, ordering: .sequentiallyConsistent) }

    /// Whether a snapshot is held that is older than a renewal.
    @inline(__always)
    func isHeld(before number: UInt64) -> Bool {
        renewal.load(ordering: .sequentiallyConsistent) < number
    }
}
