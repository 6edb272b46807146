import SkiathosStore

/// The deletions that the next flush brings to the store, as far as other rows may refer to what is
/// deleted.
///
/// A deletion reaches what refers to its row at that moment: rows of the store, which the store itself
/// changes, and objects with pending changes, of which the store does not know yet. So each deletion
/// has a moment, and each object the moment at which it was set last.
struct PendingDeletions {
    /// The moment at which each row was deleted.
    private(set) var moments: [RowKey: UInt32] = [:]
    /// The entities whose rows may have changed or gone with them.
    private(set) var affected: Set<Int> = []
    /// The rows whose consequences in the store are known.
    var visited: Set<RowKey> = []

    mutating func add(_ key: RowKey, at moment: UInt32, affecting entities: Set<Int>) {
        moments[key] = moment
        affected.formUnion(entities)
    }

    func contains(_ key: RowKey) -> Bool { moments[key] != nil }
}
