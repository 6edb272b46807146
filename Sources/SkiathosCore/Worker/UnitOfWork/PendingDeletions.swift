import SkiathosStore

/// The deletions that the next flush applies, as far as other rows may refer to what is
/// deleted.
///
/// A deletion affects the rows and objects that refer to its row at that moment. The store
/// itself changes the rows; it does not know yet of objects with pending changes. So each
/// deletion has a moment, and each object the moment at which it was last set.
struct PendingDeletions {
    /// The moment at which each row was deleted.
    private(set) var moments: [RowKey: UInt32] = [:]
    /// The entities whose rows may have been changed or deleted with them.
    private(set) var affected: Set<Int> = []
    /// The rows whose consequences in the store are known.
    var visited: Set<RowKey> = []

    mutating func add(_ key: RowKey, at moment: UInt32, affecting entities: Set<Int>) {
        moments[key] = moment
        affected.formUnion(entities)
    }

    func contains(_ key: RowKey) -> Bool { moments[key] != nil }
}
