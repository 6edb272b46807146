import SkiathosStore

/// The deletions that the next flush applies, as far as other rows may refer to what is
/// deleted.
///
/// A deletion affects the rows and objects that refer to its row at that moment. The store
/// itself changes the rows; it does not know yet of objects with pending changes. So each
/// deletion has a moment, and each object the moment at which it was last set.
@usableFromInline
struct PendingDeletions {
    /// The number of the last deletion of a row that others may refer to.
    @usableFromInline private(set) var moment: UInt32 = 1
    /// Whether such deletions are pending.
    @usableFromInline private(set) var isAny = false
    /// An error that a setter has met and could not throw.
    private var failure: (any Error)?
    /// The moment at which each row was deleted.
    private(set) var moments: [RowKey: UInt32] = [:]
    /// The rows, in the order in which it became known that they are deleted.
    private(set) var keys: [RowKey] = []
    /// The entities whose rows may have been changed or deleted with them.
    private(set) var affected: Set<Int> = []
    /// Of how many of these rows, from the first on, the consequences in the store are known.
    private var visitedCount = 0

    /// Forgets the deletions of an earlier write.
    mutating func begin() {
        if moment != 1 || isAny || failure != nil { self = PendingDeletions() }
    }

    mutating func add(_ key: RowKey, at moment: UInt32, affecting entities: Set<Int>) {
        if moments.updateValue(moment, forKey: key) == nil { keys.append(key) }
        affected.formUnion(entities)
        isAny = true
    }

    /// Begins a moment for a deletion of its own.
    mutating func nextMoment() -> UInt32 {
        moment += 1
        return moment
    }

    /// Removes the deletions, which are in the open transaction by now or were rolled back.
    mutating func removeAll() {
        moments = [:]
        keys = []
        visitedCount = 0
        affected = []
        isAny = false
        failure = nil
    }

    /// Records an error of a setter for the next flush to throw; the first one counts.
    mutating func recordFailure(_ error: any Error) { failure = failure ?? error }

    /// Throws the error that a setter has met, if any.
    func throwFailure() throws {
        if let failure { throw failure }
    }

    func contains(_ key: RowKey) -> Bool { moments[key] != nil }

    /// Whether the consequences of a deletion in the store are not known yet.
    var hasUnvisited: Bool { visitedCount < keys.count }

    /// The rows whose consequences in the store are not known yet; called by code that looks them up.
    mutating func visit() -> ArraySlice<RowKey> {
        defer { visitedCount = keys.count }
        return keys[visitedCount...]
    }
}
