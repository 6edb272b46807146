import Synchronization

/// Says that a deadline has passed, and that closures which are still running come to nothing.
final class StopFlag: Sendable {
    private let isUp = Atomic(false)

    func raise() { isUp.store(true, ordering: .releasing) }

    /// Throws once the flag is up; every query and every merge asks.
    func check() throws {
        guard isUp.load(ordering: .acquiring) else { return }
        throw DataAccessError(
            .closed,
            "The data access layer was shut down, and its deadline passed while this closure ran. Nothing of it was done."
        )
    }
}
