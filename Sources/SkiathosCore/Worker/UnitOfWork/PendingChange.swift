public import SkiathosStore

/// What the next flush does with the row of an object.
@usableFromInline
struct PendingChange: Sendable, Hashable {
    /// In the order of the steps: deletions come first, which free unique values.
    @usableFromInline
    enum Kind: UInt8, Sendable {
        /// Nothing: the object was read and not set, or was created and deleted again.
        case none
        case delete
        case update
        case insert
    }

    @usableFromInline let kind: Kind
    /// The columns that are updated; empty unless ``kind`` is `update`.
    @usableFromInline let columns: ColumnSet

    @inlinable
    init(_ kind: Kind) {
        self.kind = kind
        columns = ColumnSet()
    }

    /// An update of some columns; nothing if there are none.
    @inlinable
    init(updating columns: ColumnSet) {
        kind = columns.isEmpty ? .none : .update
        self.columns = columns
    }

    @inlinable
    static func == (left: PendingChange, right: PendingChange) -> Bool {
        // Called for each object, and the compiler's own is generic.
        left.kind.rawValue == right.kind.rawValue && left.columns.bits == right.columns.bits
    }

    /// Steps come in the order of their kinds, updates in that of their columns.
    @inlinable
    func precedes(_ other: PendingChange) -> Bool {
        (kind.rawValue, columns.bits) < (other.kind.rawValue, other.columns.bits)
    }
}

extension Managed {
    /// What the next flush does with the row of this object.
    @inlinable var pendingChange: PendingChange {
        if state.contains(.deleted) {
            return PendingChange(state.contains(.stored) ? .delete : .none)
        }
        guard state.contains(.stored) else { return PendingChange(.insert) }
        return PendingChange(updating: unappliedColumns)
    }
}
