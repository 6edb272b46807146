import SkiathosStore

/// The rows that a step of a write has changed without their objects, which are then read again.
struct StaleRows {
    /// The entities of which rows may have changed.
    let entities: Set<Int>
    /// The IDs of all changed rows, of the entities of which they are known.
    private(set) var ids: [Int: Set<StoreValue>] = [:]

    /// Rows of which nothing is known but their entities.
    init(of entities: Set<Int>) { self.entities = entities }

    /// Adds the record of the changes of some entities; `nil` if the store cannot make one.
    mutating func add(_ record: RecordedRowChanges?, of recorded: Set<Int>) {
        guard let record else { return }
        for entity in recorded.subtracting(record.incomplete) { ids[entity] = [] }
        for change in record.changes {
            for case let id? in [change.before?.first, change.after?.first] {
                ids[change.entity]?.insert(id)
            }
        }
    }
}

extension WriteContext {
    /// Runs a step that may change rows of some entities without their objects, and finds out which,
    /// where the write holds so many objects that reading all of them again would take longer.
    func findingStaleRows(
        of entities: Set<Int>, in session: any StoreWriteSession, _ body: () throws -> Void
    ) throws -> StaleRows {
        var stale = StaleRows(of: entities)
        let recorded = entities.filter { units[$0]?.holdsMany ?? false }
        guard !recorded.isEmpty else {
            try body()
            return stale
        }
        let record = try session.recordingChanges(
            of: recorded, limit: RecordingLimit(), body)
        stale.add(record, of: recorded)
        return stale
    }

    /// Reads the rows of held objects again that a step has changed.
    func refresh(_ stale: StaleRows, in session: any StoreSession) throws {
        do {
            // The closure of the write did not ask for these rows, so they count against no
            // budget.
            try session.metering(nil) {
                for entity in stale.entities {
                    try units[entity]?.refresh(stale.ids[entity], in: session)
                }
            }
        } catch {
            journal.markUnknown(stale.entities)
            throw error
        }
    }
}
