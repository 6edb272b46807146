public import SkiathosStore

/// The rows of one entity that writes had changed which returned as merged, and whose commit has
/// failed.
///
/// ```swift
/// configuration.errorHandler = { failure in
///     for lost in failure.lostChanges {
///         guard let orders = lost.ids(of: Order.self) else { continue }
///         outbox.repeatOrders(orders.inserted, isAll: lost.isComplete)
///     }
/// }
/// ```
///
/// These are the net changes of all lost writes of the batch: a row that one has inserted and another
/// has changed counts as inserted, and one that was inserted and deleted does not appear. They are
/// described by the IDs alone; values of other columns are not kept.
public struct LostChanges: Sendable, Hashable {
    /// How many changes of rows the writes of a batch keep with their IDs.
    ///
    /// Further ones are counted only.
    public static var limit: Int { 1_000 }

    /// The IDs of the rows, as those of their entity.
    public struct IDs<E: Entity>: Sendable, Hashable {
        /// The rows that would have been inserted, in the order of their creation.
        public var inserted: [E.ID]
        /// The rows that would have been updated.
        public var updated: [E.ID]
        /// The rows that would have been deleted.
        public var deleted: [E.ID]

        /// Makes lists of IDs.
        public init(inserted: [E.ID] = [], updated: [E.ID] = [], deleted: [E.ID] = []) {
            self.inserted = inserted
            self.updated = updated
            self.deleted = deleted
        }
    }

    /// The table of the entity.
    public let entity: String
    /// The name of the entity's type.
    public let typeName: String
    /// The IDs of the rows that would have been inserted, as they are stored.
    public let inserted: [StoreValue]
    /// The IDs of the rows that would have been updated.
    public let updated: [StoreValue]
    /// The IDs of the rows that would have been deleted.
    public let deleted: [StoreValue]
    /// How many changes of rows were lost, as far as that is known; at least 0.
    ///
    /// A row counts once for each time that its changes were flushed, also if later ones have
    /// cancelled them. Changes beyond ``limit``, and the rows that `update(where:set:)` or
    /// `deleteAll(where:)` has selected, are included. Rows that a delete rule or raw SQL has changed
    /// are not.
    public let count: Int
    /// Whether the lists hold everything.
    ///
    /// `false` if the batch has more changes than ``limit``, or if rows may have changed without
    /// objects: by `update(where:set:)` or `deleteAll(where:)`, by the delete rule of a reference, or
    /// by raw SQL, which may have changed rows of every entity.
    public let isComplete: Bool
    /// An ``IDs`` of the entity; `nil` if no ID is known.
    private let ids: (any Sendable)?

    /// Describes changes, for tests of code that takes them.
    ///
    /// - Parameters:
    ///   - entity: The entity of the rows.
    ///   - inserted: The IDs of inserted rows.
    ///   - updated: The IDs of updated rows.
    ///   - deleted: The IDs of deleted rows.
    ///   - count: How many changes were lost; by default as many as there are IDs.
    ///   - isComplete: Whether the lists hold everything.
    /// - Throws: `StoreError` with code `invalidValue` if an ID cannot be stored.
    public init<E: Entity>(
        of entity: E.Type, inserted: [E.ID] = [], updated: [E.ID] = [], deleted: [E.ID] = [],
        count: Int? = nil, isComplete: Bool = true
    ) throws {
        self.init(
            E.schema, IDs<E>(inserted: inserted, updated: updated, deleted: deleted),
            inserted: try inserted.map { try StoreValue($0, Coding.of(E.ID.self)) },
            updated: try updated.map { try StoreValue($0, Coding.of(E.ID.self)) },
            deleted: try deleted.map { try StoreValue($0, Coding.of(E.ID.self)) },
            count: count ?? inserted.count + updated.count + deleted.count, isComplete: isComplete)
    }

    /// Describes changes of rows that are not known one by one.
    init(of entity: EntitySchema, count: Int) {
        self.init(
            entity, nil, inserted: [], updated: [], deleted: [], count: count, isComplete: false)
    }

    private init(
        _ entity: EntitySchema, _ ids: (any Sendable)?, inserted: [StoreValue],
        updated: [StoreValue], deleted: [StoreValue], count: Int, isComplete: Bool
    ) {
        self.entity = entity.table
        typeName = entity.typeName
        self.ids = ids
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
        self.count = count
        self.isComplete = isComplete
    }

    /// The IDs of the rows with their type; `nil` if these are changes of another entity.
    ///
    /// ```swift
    /// let lost = failure.lostChanges.lazy.compactMap { $0.ids(of: User.self) }.first?.inserted
    /// ```
    public func ids<E: Entity>(of entity: E.Type) -> IDs<E>? {
        guard self.entity == E.schema.table else { return nil }
        guard let ids else { return IDs<E>() }
        return ids as? IDs<E>
    }
}

// By hand, since the typed IDs are the same as the stored ones.
extension LostChanges {
    /// Whether both describe the same changes of the same entity.
    public static func == (left: LostChanges, right: LostChanges) -> Bool {
        left.entity == right.entity && left.typeName == right.typeName
            && left.inserted == right.inserted && left.updated == right.updated
            && left.deleted == right.deleted && left.count == right.count
            && left.isComplete == right.isComplete
    }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(entity)
        hasher.combine(inserted)
        hasher.combine(updated)
        hasher.combine(deleted)
        hasher.combine(count)
        hasher.combine(isComplete)
    }
}

extension LostChanges: CustomStringConvertible {
    /// The entity and the numbers of its rows, without their IDs, which may be texts of users.
    public var description: String {
        let known =
            "\(typeName): \(inserted.count) inserted, \(updated.count) updated, \(deleted.count) deleted"
        return isComplete ? known : known + ", not complete, \(count) changes are known"
    }
}
