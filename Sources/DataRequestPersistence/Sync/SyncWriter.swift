#if RequestCore
import DataRequestCore
import SkiathosPlatformFoundation
import SkiathosCore
import SkiathosStore

/// Stores the elements of a sync as rows, and the progress of the sync in the same writes.
struct SyncWriter<E: Entity, Item: Decodable & Sendable>: Sendable {
    private let dal: DataAccessLayer
    private let plan: SyncPlan<E>
    private let map: @Sendable (Item, WriteContext) throws -> E?

    private var options: SyncOptions<E> { plan.options }

    init(
        _ dal: DataAccessLayer, _ plan: SyncPlan<E>,
        map: @escaping @Sendable (Item, WriteContext) throws -> E?
    ) {
        self.dal = dal
        self.plan = plan
        self.map = map
    }

    /// The state of the sync, if an earlier one with the same fingerprint has stored one.
    ///
    /// An interrupted run whose deliveries are not known could delete rows that the server has, so
    /// it is not continued. It was begun by an earlier version, or without
    /// `skipRowsWithQueuedChanges`.
    func storedState() async throws -> SyncState? {
        let name = plan.name
        let fingerprint = plan.fingerprint
        let needsDeliveries = plan.isRecordingDeliveries
        return try await dal.read { (context: ReadContext) throws -> SyncState? in
            let stored = try SyncState.first(
                where: { $0.name == name && $0.fingerprint == fingerprint }, in: context)
            guard needsDeliveries, let state = stored, state.isUnderWay else { return stored }
            return try SyncMark.recordsDeliveries(during: state.id, in: context) ? state : nil
        }
    }

    /// Called before a page is requested, which will reflect all earlier deliveries.
    func willRequestPage(isFirst: Bool) {
        dal.syncsUnderWay.willRequestPage(plan.name, isFirst: isFirst)
    }

    /// Stores a batch together with the checkpoint of the run, in one write.
    func store(_ batch: SyncBatch<Item>, _ checkpoint: SyncCheckpoint) async throws -> SyncReport {
        try await dal.write { context in
            let state = try state(for: checkpoint, in: context)
            var report = SyncReport()
            for refusal in batch.refusals { report.add(refusal) }
            try store(try mapped(batch, &report, in: context), state.id, &report, in: context)
            state.refused += report.refused
            state.kept += report.kept
            state.page = checkpoint.position
            state.elementsOfPage = checkpoint.elementsOfPage
            state.elements = checkpoint.elements
            state.pages = checkpoint.pages
            state.firstValidators = checkpoint.firstValidators
            state.pageValidators = checkpoint.pageValidators
            if checkpoint.isEnd { try complete(state, &report, in: context) }
            return report
        }
    }

    /// The state of the sync, reset if this is a new run.
    private func state(
        for checkpoint: SyncCheckpoint, in context: WriteContext
    ) throws -> Managed<SyncState> {
        let name = plan.name
        let state =
            try SyncState.first(where: { $0.name == name }, in: context)
            ?? SyncState.create(in: context) { $0.name = name }
        guard checkpoint.isNewRun else { return state }
        let id = state.id.rawValue
        try SyncMark.deleteAll(where: { $0.sync == id }, in: context)
        // A run that ends in this write is not interrupted.
        if plan.isRecordingDeliveries, !checkpoint.isEnd {
            try SyncMark.recordDeliveries(
                during: state.id, after: dal.syncsUnderWay.deliveredSinceBeginning(name),
                in: context)
        }
        state.fingerprint = plan.fingerprint
        state.isUnderWay = true
        // From now on the rows no longer match the answer with these validators.
        state.validators = nil
        state.refused = 0
        state.kept = 0
        return state
    }

    /// The values of a batch, without those that are refused or skipped.
    private func mapped(
        _ batch: SyncBatch<Item>, _ report: inout SyncReport, in context: WriteContext
    ) throws -> [(entry: SyncBatch<Item>.Entry, value: E)] {
        var values: [(entry: SyncBatch<Item>.Entry, value: E)] = []
        for entry in batch.entries {
            do {
                if let value = try map(entry.item, context) {
                    values.append((entry, value))
                } else {
                    report.passedOver += 1
                }
            } catch let error
                where options.onInvalidElement == .skip && !(error is CancellationError)
            {
                report.add(Refusals.ofMapping(entry, error))
            }
        }
        return values
    }

    private func store(
        _ values: [(entry: SyncBatch<Item>.Entry, value: E)], _ sync: SyncState.ID,
        _ report: inout SyncReport, in context: WriteContext
    ) throws {
        guard options.onInvalidElement == .skip else {
            return try upsert(values.map(\.value), sync, &report, in: context)
        }
        do {
            var attempt = report
            try context.nested { try upsert(values.map(\.value), sync, &attempt, in: $0) }
            report = attempt
        } catch let error where Refusals.isRefusal(error) {
            // At least one value fails; storing each separately shows which.
            for (entry, value) in values {
                do {
                    var attempt = report
                    try context.nested { try upsert([value], sync, &attempt, in: $0) }
                    report = attempt
                } catch let error where Refusals.isRefusal(error) {
                    report.add(Refusals.ofStoring(entry, error))
                }
            }
        }
    }

    private func upsert(
        _ values: [E], _ sync: SyncState.ID, _ report: inout SyncReport, in context: WriteContext
    ) throws {
        let queued = try keysOfChanges(of: values, in: context)
        var (seen, isKept): ([E.ID], Bool) = ([], false)
        // All at once: they may exchange unique values.
        try E.upsert(values, by: plan.key, in: context) { value, existing in
            isKept = hasChanges(existing ?? value, queued) || hasChanges(value, queued)
            if let existing, !isKept { options.merging?(&value, existing) }
            return !isKept
        } _: { object, outcome in
            if let object { seen.append(object.id) }
            switch outcome {
            case _ where isKept: report.kept += 1
            case .inserted: report.inserted += 1
            case .updated: report.updated += 1
            case .unchanged: report.unchanged += 1
            }
        }
        guard plan.isMarking else { return }
        let marks = seen.map { id in
            var mark = SyncMark(id: markID(sync, id))
            mark.sync = sync.rawValue
            return mark
        }
        try SyncMark.upsert(marks, in: context)
    }

    /// The ID of the mark that a sync has seen a row.
    private func markID(_ sync: SyncState.ID, _ row: E.ID) -> SyncMark.ID {
        SyncMark.ID(rawValue: "\(sync) \(row)")
    }
}

extension SyncWriter {
    /// The keys of values with a request that is pending in the queue, or was just delivered.
    private func keysOfChanges(
        of values: some Collection<E>, in context: WriteContext
    ) throws -> Set<String> {
        guard let keyOf = options.skipRowsWithQueuedChanges else { return [] }
        return try keysOfChanges(Set(values.compactMap(keyOf)), in: context)
    }

    private func keysOfChanges(
        _ keys: Set<String>, in context: WriteContext
    ) throws -> Set<String> {
        guard !keys.isEmpty else { return [] }
        let waiting = try QueuedRequest.where {
            $0.key.in(Array(keys)) && $0.state == .pending
        }.select { $0.key }.distinct().all(in: context)
        let name = plan.name
        return Set(waiting).union(keys.filter { dal.syncsUnderWay.wasDelivered($0, name) })
    }

    /// The keys that were delivered since the first page was requested, also before the run was
    /// interrupted.
    private func keysDelivered(
        among keys: Set<String>, during run: SyncState.ID, in context: WriteContext
    ) throws -> Set<String> {
        guard !keys.isEmpty else { return [] }
        return try SyncMark.deliveries(of: keys, during: run, in: context)
            .union(keys.intersection(dal.syncsUnderWay.deliveredSinceBeginning(plan.name)))
    }

    private func hasChanges(_ value: E, _ queued: Set<String>) -> Bool {
        guard !queued.isEmpty, let key = options.skipRowsWithQueuedChanges?(value) else {
            return false
        }
        return queued.contains(key)
    }

    /// Completes a run that has read everything.
    private func complete(
        _ state: Managed<SyncState>, _ report: inout SyncReport, in context: WriteContext
    ) throws {
        if let rows = options.deleteMissing.rows {
            if state.refused > 0 {
                report.isDeletingWithheld = true
            } else {
                try deleteMissing(of: rows, state, &report, in: context)
            }
            let id = state.id.rawValue
            try SyncMark.deleteAll(where: { $0.sync == id }, in: context)
        }
        let isPerfect = state.refused == 0 && state.kept == 0 && plan.isConditional
        state.validators = isPerfect ? state.firstValidators : nil
        state.isUnderWay = false
        state.firstValidators = nil
        state.pageValidators = nil
        state.completed = Date()
    }

    private func deleteMissing(
        of query: Query<E>, _ state: Managed<SyncState>, _ report: inout SyncReport,
        in context: WriteContext
    ) throws {
        var missing: [E.ID] = []
        var rows: [(id: E.ID, key: String?)] = []
        try query.each(batchSize: 500, in: context) { object in
            rows.append((object.id, options.skipRowsWithQueuedChanges?(object.value)))
            guard rows.count == 500 else { return }
            missing += try missingRows(among: rows, state, &report, in: context)
            rows = []
        }
        missing += try missingRows(among: rows, state, &report, in: context)
        for start in stride(from: 0, to: missing.count, by: 500) {
            let part = Array(missing[start..<min(missing.count, start + 500)])
            for object in try E.find(part, in: context).found { try object.delete() }
        }
        report.deleted += missing.count
    }

    /// The rows that the run has not seen, without those that have queued changes, or had some
    /// since it has begun: the pages that were read before a delivery do not reflect it.
    private func missingRows(
        among rows: [(id: E.ID, key: String?)], _ state: Managed<SyncState>,
        _ report: inout SyncReport, in context: WriteContext
    ) throws -> [E.ID] {
        let marks = rows.map { markID(state.id, $0.id) }
        let seen = Set(try SyncMark.where { $0.id.in(marks) }.ids(in: context))
        let unseen = rows.filter { !seen.contains(markID(state.id, $0.id)) }
        let keys = Set(unseen.compactMap(\.key))
        let changed = try keysOfChanges(keys, in: context)
            .union(keysDelivered(among: keys, during: state.id, in: context))
        let missing = unseen.filter { row in !(row.key.map(changed.contains) ?? false) }
        report.kept += unseen.count - missing.count
        state.kept += unseen.count - missing.count
        return missing.map(\.id)
    }
}
#endif
