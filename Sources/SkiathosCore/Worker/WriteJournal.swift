import SkiathosStore

/// What one write has done so far: all that the root writer and the main context learn of it.
struct WriteJournal {
    /// The changes that observers are notified of.
    private(set) var record = ChangeRecord()
    /// The rows that caches invalidate when the write is committed.
    private(set) var invalidation = CacheInvalidation()
    /// The rows that have changed, before and after; `nil` unless each change is recorded.
    private var capture: ChangeCapture?
    /// The rows that are reported if the write is lost after it has returned; `nil` if it returns
    /// after its commit.
    private(set) var merged: MergedRows?

    /// - Parameter recordsMergedRows: Whether the write returns before its commit.
    init(recordsMergedRows: Bool) { merged = recordsMergedRows ? MergedRows() : nil }

    /// The name and the author of the write.
    var origin: WriteOrigin {
        get { record.origin?.value ?? WriteOrigin() }
        set { record.origin = SharedOrigin(newValue) }
    }

    /// Forgets everything, for the next write with the same context.
    ///
    /// - Parameter recordsMergedRows: Whether that write returns before its commit.
    mutating func reset(recordsMergedRows: Bool) {
        record.removeAll()
        if !invalidation.isEmpty { invalidation = CacheInvalidation() }
        if capture != nil { capture = nil }
        if recordsMergedRows != (merged != nil) {
            merged = recordsMergedRows ? MergedRows() : nil
        } else {
            merged?.removeAll()
        }
    }

    /// Tells the main context what was merged into the open batch; called while the connection is
    /// held, and after the batch was marked.
    mutating func publish(to main: MainContext) {
        // Mostly there is no observer, and no row that may be cached. Handing out this value would
        // copy it.
        let isObserved = !main.interest.entities.isDisjoint(with: record.touched)
        if isObserved || !invalidation.isEmpty { main.merged(self) }
    }

    /// Adds the rows that are reported if the write is lost to those of its batch.
    mutating func addMerged(to batch: inout MergedRows) {
        if let merged { batch.add(merged) }
    }

    /// Adds insertions of rows of one entity, which are in no cache.
    ///
    /// - Parameters:
    ///   - entity: The position of the entity.
    ///   - interest: The entities whose changes are observed, and those whose changed rows are.
    ///   - rows: The rows, if the entity is one of the latter.
    mutating func addInsertions(
        of entity: Int, observing interest: (entities: EntityMask, rows: EntityMask),
        _ rows: [any RecordedRows]
    ) {
        if interest.entities.isEmpty {
            // An observer that is added before the merge learns that anything may have changed.
            record.addUnknown(.all)
        } else if interest.rows.contains(entity: entity) {
            record.add(rows, of: entity)
        } else {
            record.addUnknown(EntityMask(entity: entity))
        }
    }

    /// Adds the rows that are reported if the write is lost.
    mutating func addMerged(_ rows: any FlushedRows) { merged?.add(rows) }

    /// Adds a flush; called when its steps lie in the open transaction, and before the objects are
    /// marked as flushed.
    ///
    /// - Parameters:
    ///   - plan: The flush.
    ///   - units: The units of work whose pending objects it has flushed.
    ///   - interest: The entities whose changes are observed, and those whose changed rows are.
    ///   - rows: The changed rows of the latter.
    ///   - step: What was recorded of the rows that it has changed without objects; `nil` if there
    ///     were none, or no change is observed.
    mutating func add(
        _ plan: FlushPlan, of units: [(any AnyUnitOfWork)?],
        observing interest: (entities: EntityMask, rows: EntityMask),
        _ rows: [any RecordedRows], _ step: RecordedStep?
    ) throws {
        if interest.entities.isEmpty {
            // An observer that is added before the merge learns that anything may have changed.
            record.addUnknown(.all)
        } else {
            addToRecord(plan, interest, rows, recorded: step?.known ?? [])
            if let step { record.add(step) }
        }
        try addToCapture(units)
        invalidation.add(plan.invalidation)
        for entity in plan.touchedByDeletion { invalidation.add(EntityMask(entity: entity)) }
        guard merged != nil else { return }
        for rows in plan.merged { merged?.add(rows) }
        for entity in plan.touchedByDeletion { merged?.addUnknown(entity) }
    }

    /// Adds a step that has changed rows without objects.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - known: How many rows of one entity were changed at least, if that is known.
    mutating func add(_ step: RecordedStep, known: (entity: Int, count: Int)? = nil) {
        record.add(step)
        for entity in step.entities {
            invalidation.add(EntityMask(entity: entity))
            merged?.addUnknown(entity)
        }
        if let known { merged?.addUnknown(known.entity, count: known.count) }
    }

    /// Records that objects of some entities may differ from their rows, so that the changes of
    /// objects say no more which values the rows have.
    mutating func markUnknown(_ entities: some Sequence<Int>) {
        for entity in entities { record.addUnknown(EntityMask(entity: entity)) }
    }

    /// - Parameter recorded: The entities of which the store has recorded each changed row, also of
    ///   objects.
    private mutating func addToRecord(
        _ plan: FlushPlan, _ interest: (entities: EntityMask, rows: EntityMask),
        _ rows: [any RecordedRows], recorded: Set<Int>
    ) {
        let changed = plan.changedEntities(without: recorded)
        let detailed = changed.intersection(interest.rows)
        record.touched.formUnion(changed)
        record.unknown.formUnion(changed.subtracting(detailed))
        record.add(recorded.isEmpty ? rows : rows.filter { !recorded.contains($0.entity) })
    }

    private mutating func addToCapture(_ units: [(any AnyUnitOfWork)?]) throws {
        guard var rows = capture else { return }
        // Taken out, so that it is changed in place.
        capture = nil
        defer { capture = rows }
        for unit in units { try unit?.capturePending(in: &rows) }
    }
}

/// Recording each changed row.
extension WriteJournal {
    /// Whether each changed row is recorded.
    var isCapturing: Bool { capture != nil }

    /// Records each row that changes from here on.
    mutating func beginCapture() { capture = ChangeCapture() }

    /// The net changes of the rows that have changed since ``beginCapture()``.
    var capturedChanges: [RowChange] { capture?.outcome ?? [] }

    mutating func endCapture() { capture = nil }

    /// Adds the change of one row, if each is recorded.
    mutating func add(_ change: RowChange) { capture?.add(change) }
}

/// Rolling back to an earlier state, where caches invalidate what was changed meanwhile, too.
extension WriteJournal {
    /// A state of the journal that a nested scope can return to.
    struct Mark {
        fileprivate let record: ChangeRecord
        fileprivate let capture: ChangeCapture?
        fileprivate let merged: MergedRows?
    }

    var mark: Mark { Mark(record: record, capture: capture, merged: merged) }

    /// Removes what was added since a mark, and records no changed rows until
    /// ``resumeCapture(of:)``: refreshing objects is no change.
    mutating func rollBack(to mark: Mark) {
        record = mark.record
        merged = mark.merged
        capture = nil
    }

    /// Records changed rows again, after those that were recorded before the mark.
    mutating func resumeCapture(of mark: Mark) { capture = mark.capture }
}

extension FlushPlan {
    /// The entities that its steps insert, update or delete rows of, but for some.
    fileprivate func changedEntities(without others: Set<Int>) -> EntityMask {
        var entities: EntityMask = []
        for step in steps {
            switch step {
            case .insert(let entity, _), .update(let entity, _, _), .delete(let entity, _):
                if !others.contains(entity) { entities.insert(EntityMask(entity: entity)) }
            case .reserveIDs: break
            }
        }
        return entities
    }
}
