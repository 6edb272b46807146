import SkiathosStore
import Synchronization

/// What the connections of a store that is open for writing tell each other: which version is
/// committed, and that snapshots of older ones are in the way.
final class SharedVersion: Sendable {
    private let number = Atomic<UInt64>(0)
    private let readers = Lock<[SQLiteReader]>([])

    /// The number of commits so far.
    ///
    /// It grows after a commit and before the write returns. Whoever takes it first and his
    /// snapshot then sees at least that version.
    var current: UInt64 { number.load(ordering: .acquiring) }

    /// Tells that a commit was made.
    func advance() { number.wrappingAdd(1, ordering: .releasing) }

    /// Says which connections read.
    ///
    /// They do not refer to this object's owner, so nothing holds itself.
    func register(_ readers: [SQLiteReader]) { self.readers.withLock { $0 = readers } }

    /// Has the connections that nobody reads with give up their snapshots, which keep a checkpoint
    /// from getting to its end and the log from starting over.
    func releaseIdleSnapshots() {
        for reader in readers.withLock({ $0 }) { reader.releaseSnapshotIfIdle() }
    }
}
