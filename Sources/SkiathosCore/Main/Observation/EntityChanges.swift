import SkiathosStore

/// The changes of the rows of an entity by one committed write.
///
/// These are net changes: a row that was inserted and updated counts as inserted, one that was
/// inserted and deleted does not appear, nor one that is as it was before the write, and each ID is in
/// one list at the most.
public struct EntityChanges<E: Entity>: Sendable, Hashable {
    /// A row of which columns were changed.
    public struct Update: Sendable, Hashable {
        /// The ID of the row.
        public let id: E.ID
        let columnSet: ColumnSet

        /// The names of the columns that were set to another value, in the order of the schema.
        public var columns: [String] { columnSet.map { E.schema.columns[$0].name } }

        init(id: E.ID, columnSet: ColumnSet) {
            self.id = id
            self.columnSet = columnSet
        }

        /// Creates an update, for tests of code that takes one.
        ///
        /// - Parameters:
        ///   - id: The ID of the row.
        ///   - columns: The names of columns of the entity; others stop the program.
        public init(id: E.ID, columns: [String]) {
            var set = ColumnSet()
            for name in columns {
                guard let column = E.schema.columns.firstIndex(where: { $0.name == name }) else {
                    preconditionFailure(
                        "\(E.schema.typeName) has no column \(name). Name one of those that it has."
                    )
                }
                set.insert(column)
            }
            self.init(id: id, columnSet: set)
        }
    }

    /// The store: the `Configuration.label` that it was opened with.
    ///
    /// ```swift
    /// static func didCommit(_ changes: EntityChanges<User>) {
    ///     SearchIndex.of(changes.store).refresh(changes.inserted)   // "archive" or "main"
    /// }
    /// ```
    public let store: String
    /// The name and the author of the write, as `write(as:by:)` has set them.
    public internal(set) var origin = WriteOrigin()
    /// The IDs of new rows, in the order of their creation.
    public internal(set) var inserted: [E.ID] = []
    /// The rows that were updated, in the order of their first change.
    public internal(set) var updated: [Update] = []
    /// The IDs of deleted rows, in the order of their deletion.
    public internal(set) var deleted: [E.ID] = []
    /// Whether the lists hold everything, also what was changed without objects: by
    /// `update(where:set:)` or `deleteAll(where:)`, by the delete rule of a reference, or by raw SQL.
    ///
    /// ```swift
    /// try Book.update(where: { $0.isLent }, set: { [$0.dueIn.add(7)] }, in: context)
    /// // isComplete, updated: one for each lent book, with columns ["dueIn"]
    /// ```
    ///
    /// `false` after `reset()` or a restored backup, and where the store could not record such
    /// changes: of more than 10,000 rows or 8 MiB in one write, of a row that its entity cannot
    /// decode, or of any row if the backend records none.
    public internal(set) var isComplete = true
    /// The rows before and after the write, as far as they are known.
    private let values: ChangeLog<E>

    /// Creates changes, for tests of code that takes them.
    ///
    /// - Parameters:
    ///   - inserted: The IDs of inserted rows.
    ///   - updated: The rows that were updated.
    ///   - deleted: The IDs of deleted rows.
    ///   - before: What ``before(_:)`` returns for their IDs.
    ///   - after: What ``after(_:)`` returns for their IDs.
    ///   - isComplete: Whether the lists hold everything.
    ///   - store: The label of the store; by default that of a configuration which sets none.
    ///   - origin: The name and the author of the write.
    public init(
        inserted: [E.ID] = [], updated: [Update] = [], deleted: [E.ID] = [],
        before: [E] = [], after: [E] = [], isComplete: Bool = true, store: String = "main",
        origin: WriteOrigin = WriteOrigin()
    ) {
        self.init(ChangeLog(before: before, after: after), in: store)
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
        self.isComplete = isComplete
        self.origin = origin
    }

    /// Makes no changes.
    init(_ values: ChangeLog<E>, in store: String) {
        self.store = store
        self.values = values
    }

    /// The row with an ID as it was before the write; `nil` if the write has inserted it, or not
    /// changed it.
    ///
    /// ```swift
    /// for update in changes.updated {
    ///     guard let old = changes.before(update.id), let new = changes.after(update.id) else { continue }
    ///     print("\(old.name) is now \(new.name)")
    /// }
    /// ```
    public func before(_ id: E.ID) -> E? { values.before(id) }

    /// The row with an ID as the write has left it; `nil` if the write has deleted it, or not
    /// changed it.
    public func after(_ id: E.ID) -> E? { values.after(id) }

    /// Compares all but ``before(_:)`` and ``after(_:)``.
    public static func == (left: EntityChanges, right: EntityChanges) -> Bool {
        left.store == right.store && left.origin == right.origin
            && left.inserted == right.inserted
            && left.updated == right.updated && left.deleted == right.deleted
            && left.isComplete == right.isComplete
    }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(store)
        hasher.combine(origin)
        hasher.combine(inserted)
        hasher.combine(updated)
        hasher.combine(deleted)
        hasher.combine(isComplete)
    }
}
