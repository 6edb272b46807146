public import SkiathosStore

/// What the next flush does with the row of an object.
@usableFromInline
enum PendingChange: Sendable {
    /// Nothing: the object was read and not set, or was created and deleted again.
    case none
    case insert
    /// Updates these columns; there is at least one.
    case update(ColumnSet)
    case delete
}

extension Managed {
    /// What the next flush does with the row of this object.
    @inlinable var pendingChange: PendingChange {
        if state.contains(.deleted) { return state.contains(.stored) ? .delete : .none }
        guard state.contains(.stored) else { return .insert }
        let columns = unappliedColumns
        return columns.isEmpty ? .none : .update(columns)
    }
}
