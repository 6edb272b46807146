public import Synchronization

/// Set when the shutdown deadline has passed: closures that still run are rolled back.
@usableFromInline
final class CancellationFlag: Sendable {
    @usableFromInline let isUp = Atomic(false)

    @inlinable @inline(__always)
    var isSet: Bool { isUp.load(ordering: .acquiring) }

    func set() { isUp.store(true, ordering: .releasing) }

    /// Throws once the flag is set; called by every query and every merge.
    @inlinable @inline(__always)
    func check() throws {
        if isSet { throw Self.refusal }
    }

    /// The error of a call whose closure ran when the deadline passed.
    @usableFromInline
    static var refusal: DataAccessError {
        DataAccessError(
            .closed,
            "The data access layer was shut down, and its deadline passed while this closure ran. Nothing of it was done."
        )
    }
}
