import Synchronization

/// Tells any thread whether a reading connection holds a snapshot, and since when.
final class SnapshotPin: Sendable {
    /// No renewal comes after it.
    private static let none = UInt64.max

    /// The number of the last renewal before the snapshot was taken.
    ///
    /// Set by the holder of the connection.
    private let renewal = Atomic<UInt64>(none)

    /// Records that a snapshot is about to be taken.
    ///
    /// Called before it is taken: a thread that sees no snapshot here can rely on the next one
    /// seeing all earlier changes of the WAL.
    func begin(_ number: UInt64) { renewal.store(number, ordering: .sequentiallyConsistent) }

    /// Records that the snapshot was released.
    func end() { renewal.store(Self.none, ordering: .sequentiallyConsistent) }

    /// Whether a snapshot is held that is older than a renewal.
    @inline(__always)
    func isHeld(before number: UInt64) -> Bool {
        renewal.load(ordering: .sequentiallyConsistent) < number
    }
}
