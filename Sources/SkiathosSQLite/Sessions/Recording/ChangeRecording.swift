import SkiathosStore

/// The changes that one call has recorded until now.
///
/// Not `Sendable`: used only by the holder of the connection, which guards every field.
final class ChangeRecording {
    /// What is to be done with a change.
    enum Need {
        /// The whole change is recorded.
        case rows
        /// It only counts that the entity has changed.
        case mark
        /// The change does not matter.
        case nothing
    }

    /// The extent of the record when a savepoint was opened.
    private struct Mark {
        var savepoint: Int32
        var count: Int
        var bytes: Int
    }

    private let entities: Set<Int>
    /// The same entities, by position.
    private let isRecorded: [Bool]
    private let limit: RecordingLimit
    private var changes: [StoreRowChange] = []
    /// About how many bytes the changes take.
    private var bytes = 0
    private var incomplete: Set<Int> = []
    /// Whether the limit was exceeded, so that the changes were dropped.
    private var isFull = false
    /// Whether any entity may have changed without a trace.
    private var isBlind = false
    /// The savepoints that were opened during the record and are open still, the outermost first.
    private var marks: [Mark] = []

    init(of entities: Set<Int>, among count: Int, limit: RecordingLimit) {
        self.entities = entities
        self.limit = limit
        isRecorded = (0..<count).map(entities.contains)
    }

    /// The record.
    var result: RecordedRowChanges {
        if isBlind { return RecordedRowChanges(incomplete: entities) }
        guard !incomplete.isEmpty else { return RecordedRowChanges(changes) }
        return RecordedRowChanges(
            changes.filter { !incomplete.contains($0.entity) }, incomplete: incomplete)
    }

    /// What is to be done with a change of an entity.
    func need(of entity: Int) -> Need {
        guard isRecorded[entity], !isBlind else { return .nothing }
        return isFull ? .mark : .rows
    }

    /// Adds a change.
    func add(_ change: StoreRowChange) {
        changes.append(change)
        bytes += change.size
        guard changes.count > limit.rows || bytes > limit.bytes else { return }
        incomplete.formUnion(changes.map(\.entity))
        isFull = true
        changes = []
    }

    /// Records that an entity has changed in a way that cannot be recorded.
    func markIncomplete(_ entity: Int) { incomplete.insert(entity) }

    /// Records that any entity may have changed in a way that cannot be recorded.
    func markBlind() {
        isBlind = true
        changes = []
        marks = []
    }

    /// Called when a savepoint is opened, also that of a single statement.
    func opened(_ savepoint: Int32) {
        guard !isBlind else { return }
        marks.append(Mark(savepoint: savepoint, count: changes.count, bytes: bytes))
    }

    /// Called when a savepoint and those inside of it end, and their changes stay.
    func released(_ savepoint: Int32) {
        while let last = marks.last, last.savepoint >= savepoint { marks.removeLast() }
    }

    /// Called when all changes since a savepoint was opened are rolled back.
    ///
    /// It stays open. If the savepoint is older than the record, then so are some of the changes, of
    /// which the record knows nothing.
    func rolledBack(to savepoint: Int32) {
        guard !isBlind else { return }
        released(savepoint + 1)
        guard let last = marks.last, last.savepoint == savepoint else { return markBlind() }
        guard !isFull else { return }
        changes.removeSubrange(last.count...)
        bytes = last.bytes
    }
}
