/// The outcome of an upsert of one value.
public enum UpsertOutcome: String, Sendable, Hashable, CaseIterable {
    /// There was no such row, so a new one was inserted.
    case inserted
    /// The row had another value.
    case updated
    /// The row had the value already, and nothing is written.
    case unchanged
}

/// The outcomes of an upsert of many values.
///
/// Each value stands in one list, by the ID of its row and in the order of the values. A value
/// that occurs twice stands there twice, as after two single upserts.
public struct UpsertReport<E: Entity>: Sendable, Hashable {
    /// The IDs of new rows.
    public private(set) var inserted: [E.ID] = []
    /// The IDs of rows that had another value.
    public private(set) var updated: [E.ID] = []
    /// The IDs of rows that had the value already, for which nothing is written.
    public private(set) var unchanged: [E.ID] = []

    /// Makes a report, for tests of code that takes one.
    public init(inserted: [E.ID] = [], updated: [E.ID] = [], unchanged: [E.ID] = []) {
        self.inserted = inserted
        self.updated = updated
        self.unchanged = unchanged
    }

    mutating func add(_ id: E.ID, _ outcome: UpsertOutcome) {
        switch outcome {
        case .inserted: inserted.append(id)
        case .updated: updated.append(id)
        case .unchanged: unchanged.append(id)
        }
    }
}
