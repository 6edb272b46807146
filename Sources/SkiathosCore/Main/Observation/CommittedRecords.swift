import SkiathosStore

/// The records of a committed batch, of writes that have an observer.
///
/// Used by one thread: the one that notifies the observers.
final class CommittedRecords {
    /// The changes of one entity by each of the writes.
    private final class Changes<E: Entity> {
        let changes: [EntityChanges<E>]

        init(_ changes: [EntityChanges<E>]) { self.changes = changes }
    }

    let records: [ChangeRecord]
    /// The changes that were asked for last, with their type; feeds of one entity follow each other.
    private var last: (type: ObjectIdentifier, changes: AnyObject)?

    init(_ records: [ChangeRecord]) { self.records = records }

    /// The changes of an entity, one for each write that has changed rows of it.
    ///
    /// - Parameter store: The label of the store.
    func changes<E: Entity>(
        of entity: E.Type, at position: Int, in store: String
    ) -> [EntityChanges<E>] {
        if let last, last.type == ObjectIdentifier(E.self) {
            return unsafeDowncast(last.changes, to: Changes<E>.self).changes
        }
        let changes = records.compactMap { $0.changes(of: E.self, at: position, in: store) }
        last = (ObjectIdentifier(E.self), Changes(changes))
        return changes
    }
}
