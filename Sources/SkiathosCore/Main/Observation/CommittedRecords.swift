import SkiathosStore

/// The records of a committed batch, of writes that have an observer.
///
/// Used by one thread: the one that notifies the observers.
final class CommittedRecords {
    let records: [ChangeRecord]
    /// The changes that were asked for last, with their entity; feeds of one follow each other.
    private var last: (type: ObjectIdentifier, changes: CommittedChanges)?

    init(_ records: [ChangeRecord]) { self.records = records }

    /// The records of a commit that may have changed any row of any entity.
    static var everything: CommittedRecords { CommittedRecords([.everything]) }

    /// The changes of an entity, by each write that has changed rows of it.
    ///
    /// - Parameter store: The label of the store.
    func changes<E: Entity>(
        of entity: E.Type, at position: Int, in store: String
    ) -> CommittedChanges {
        if let last, last.type == ObjectIdentifier(E.self) { return last.changes }
        let changes = ChangesByWrite<E>(
            records.compactMap { $0.changes(of: E.self, at: position, in: store) })
        last = (ObjectIdentifier(E.self), changes)
        return changes
    }
}

/// The changes of one entity in a committed batch, which all feeds of the entity share.
class CommittedChanges: @unchecked Sendable {
    // Sendable: no field ever changes, nor one of the only subclass.

    /// How many writes have changed rows of it.
    let count: Int

    fileprivate init(count: Int) { self.count = count }
}

/// The same, with their type.
final class ChangesByWrite<E: Entity>: CommittedChanges, @unchecked Sendable {
    // Sendable: `changes` never changes.

    let changes: [EntityChanges<E>]

    fileprivate init(_ changes: [EntityChanges<E>]) {
        self.changes = changes
        super.init(count: changes.count)
    }
}
