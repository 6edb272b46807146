import SkiathosStore

/// What one committed write has done to the rows of an entity.
///
/// It is the outcome: a row that was inserted and updated counts as inserted, one that was inserted
/// and deleted does not appear, and each ID is in one list at the most.
public struct EntityChanges<E: Entity>: Sendable, Hashable {
    /// A row of which columns were changed.
    public struct Update: Sendable, Hashable {
        /// The ID of the row.
        public let id: E.ID
        let columnSet: ColumnSet

        /// The names of the columns that were set to another value, in the order of the schema.
        public var columns: [String] { columnSet.map { E.schema.columns[$0].name } }
    }

    /// The IDs of new rows, in the order of their creation.
    public internal(set) var inserted: [E.ID] = []
    /// The rows that were updated, in the order of their first change.
    public internal(set) var updated: [Update] = []
    /// The IDs of rows that are gone, in the order of their deletion.
    public internal(set) var deleted: [E.ID] = []
    /// Whether the lists hold everything.
    ///
    /// `false` where rows may have changed without objects: by `update(where:set:)` or
    /// `deleteAll(where:)`, by the delete rule of a reference, or by `reset()`.
    public internal(set) var isComplete = true
}
