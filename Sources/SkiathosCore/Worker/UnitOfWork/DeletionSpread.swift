/// Applies deletions that come with others to the pending objects that refer to their rows.
///
/// Each object is looked at once for each row that it refers to, however many levels of references the
/// deletions go through.
struct DeletionSpread {
    /// How many deletions, from the first on, have been applied to the pending objects.
    private var appliedCount: Int
    /// The pending objects by the rows that they refer to, once a deletion has come with another one.
    private var referrers: PendingReferrers?

    /// Begins where all pending objects were looked at, after the first deletions.
    init(from count: Int) { appliedCount = count }

    /// Applies the deletions that have come since the last call.
    mutating func applyNewDeletions(in context: WriteContext) throws {
        while appliedCount < context.deletions.keys.count {
            let known = try referrers ?? PendingReferrers(of: context)
            referrers = known
            let key = context.deletions.keys[appliedCount]
            appliedCount += 1
            for apply in known.rules[key] ?? [] { try apply() }
        }
    }
}

/// The pending objects of a write by the rows that they refer to.
struct PendingReferrers {
    /// Applies the rules of deletions to each.
    private(set) var rules: [RowKey: [() throws -> Void]] = [:]

    /// Finds them in the units of a context.
    init(of context: WriteContext) throws {
        for entity in context.deletions.affected {
            try context.units[entity]?.addReferrers(to: &self)
        }
    }

    /// Adds an object.
    mutating func add(_ row: RowKey, _ apply: @escaping () throws -> Void) {
        rules[row, default: []].append(apply)
    }
}
