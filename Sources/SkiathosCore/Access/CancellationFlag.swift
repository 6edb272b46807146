import Synchronization

/// Set when the shutdown deadline has passed: closures that still run are rolled back.
final class CancellationFlag: Sendable {
    private let isUp = Atomic(false)

    var isSet: Bool { isUp.load(ordering: .acquiring) }

    func set() { isUp.store(true, ordering: .releasing) }

    /// Throws once the flag is set; called by every query and every merge.
    func check() throws {
        if isSet { throw Self.refusal }
    }

    /// The error of a call whose closure ran when the deadline passed.
    static var refusal: DataAccessError {
        DataAccessError(
            .closed,
            "The data access layer was shut down, and its deadline passed while this closure ran. Nothing of it was done."
        )
    }
}
