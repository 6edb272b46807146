import SkiathosStore

/// A mistake of a store with rows that join a batch without a savepoint.
package enum PlantedInsertionBug: String, Sendable, CaseIterable {
    /// A row with a broken reference is refused, and stays.
    case keptRows = "kept rows"
    /// A failure that may have left a part of a row counts as a refusal, and the batch goes on.
    case keptBatches = "kept batches"

    /// The store with the mistake.
    func store(over store: any PersistentStore) -> any PersistentStore {
        ForwardingStore(
            store,
            session: { session in
                switch self {
                case .keptRows: KeptInsertionSession(session)
                case .keptBatches: KeptBatchSession(session)
                }
            })
    }
}

private final class KeptBatchSession: ForwardingSession {
    override func insertAlone(
        _ row: any RowSource, into entity: Int
    ) throws -> LoneInsertion {
        do {
            return try base.insertAlone(row, into: entity)
        } catch {
            return .refused(error)
        }
    }
}
