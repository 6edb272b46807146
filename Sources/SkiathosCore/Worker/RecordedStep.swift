import SkiathosStore

/// What one step of a write has changed, without objects or with them, as it was recorded for
/// observers while the step ran.
struct RecordedStep {
    /// All entities of which rows may have changed.
    let entities: Set<Int>
    /// The entities of which rows may have changed that are not in `rows`.
    private(set) var unknown: Set<Int>
    /// The entities of which every changed row is in `rows`.
    private(set) var known: Set<Int> = []
    /// The net changes of the rows, by entity.
    private(set) var rows: [Int: [ChangedRow]] = [:]

    /// A step of which nothing was recorded.
    init(changing entities: Set<Int>) {
        self.entities = entities
        unknown = entities
    }

    /// Adds the record of the rows of some entities; `nil` if the store cannot make one.
    fileprivate mutating func add(_ record: RecordedRowChanges?, of recorded: Set<Int>) {
        guard let record else { return }
        var changes: [Int: NetRowChanges] = [:]
        for change in record.changes {
            changes[change.entity, default: NetRowChanges()].add(change)
        }
        rows = changes.mapValues(\.outcome)
        known = recorded.subtracting(record.incomplete)
        unknown.subtract(known)
    }

    /// Adds which of some entities were changed at all; `nil` if the store cannot record that.
    fileprivate mutating func add(changed record: RecordedRowChanges?, among recorded: Set<Int>) {
        guard let record else { return }
        let changed = record.incomplete.union(record.changes.map(\.entity))
        unknown.subtract(recorded.subtracting(changed))
    }
}

extension WriteContext {
    /// Runs a step that may change rows of some entities, and records what observers need of it.
    ///
    /// - Parameters:
    ///   - entities: The entities.
    ///   - interest: The entities whose changes are observed, and those whose changed rows are.
    ///   - body: The step. What it has done when it throws does not stay.
    func recording(
        _ entities: Set<Int>, for interest: (entities: EntityMask, rows: EntityMask),
        in session: any StoreWriteSession, _ body: () throws -> Void
    ) throws -> RecordedStep {
        var step = RecordedStep(changing: entities)
        guard !interest.entities.isEmpty else {
            try body()
            return step
        }
        let missed = journal.record.unknown
        let observed = entities.filter {
            // Where a change was missed before, a record of this one is of no use.
            interest.entities.contains(entity: $0) && !missed.contains(entity: $0)
        }
        let detailed = observed.filter { interest.rows.contains(entity: $0) }
        let others = observed.subtracting(detailed)
        var rows: RecordedRowChanges?
        // Without room for a single row, a record says only which entities were changed.
        let changed = try session.record(others, limit: RecordingLimit(rows: 0, bytes: 0)) {
            rows = try session.record(detailed, limit: journal.record.room, body)
        }
        step.add(rows, of: detailed)
        step.add(changed: changed, among: others)
        return step
    }
}

extension StoreWriteSession {
    /// Runs a closure, and records the changed rows of some entities, if they are any.
    fileprivate func record(
        _ entities: Set<Int>, limit: RecordingLimit, _ body: () throws -> Void
    ) throws -> RecordedRowChanges? {
        guard entities.isEmpty else {
            return try recordingChanges(of: entities, limit: limit, body)
        }
        try body()
        return nil
    }
}
