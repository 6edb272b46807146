import SkiathosStore

/// Whether a transaction only deletes, so that it may use the reserved disk space.
enum Deletion {
    /// Nothing has been changed. Exits: all others.
    case possible
    /// Rows were deleted, and nothing else was done. Exits: ``never``, when something else is;
    /// ``possible``, when the next transaction begins.
    case only
    /// Something else was done. Exits: ``possible``, when the next transaction begins.
    case never
}

extension SQLiteSession {
    /// Called before changes are applied.
    @inline(__always)
    func willApply(_ changes: [StoreChange]) {
        guard deletion != .never else { return }
        if changes.allSatisfy(\.isDeletion) { willDelete() } else { willChange() }
    }

    /// Called before rows are deleted.
    func willDelete() {
        guard deletion == .possible else { return }
        deletion = .only
        wal?.lendReserve()
    }

    /// Called before anything is changed other than by deleting rows.
    @inline(__always)
    func willChange() {
        guard deletion != .never else { return }
        if deletion == .only { wal?.returnReserve() }
        deletion = .never
    }
}

extension StoreChange {
    /// Whether the change deletes rows, or reserves IDs.
    fileprivate var isDeletion: Bool {
        switch self {
        case .insert, .update: false
        case .delete, .reserveIDs: true
        }
    }
}
