/// What an upsert has done about one value.
public enum UpsertOutcome: String, Sendable, Hashable, CaseIterable {
    /// There was no such row, so there is a new one.
    case inserted
    /// The row held something else.
    case updated
    /// The row held the value already, and nothing is written.
    case unchanged
}

/// What an upsert of many values has done about each of them.
///
/// Each value stands in one list, by the ID of its row and in the order of the values. A value that
/// comes twice is there twice, as if one had been given after the other.
public struct UpsertReport<E: Entity>: Sendable, Hashable {
    /// The IDs of new rows.
    public private(set) var inserted: [E.ID] = []
    /// The IDs of rows that held something else.
    public private(set) var updated: [E.ID] = []
    /// The IDs of rows that held the value already, for which nothing is written.
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
