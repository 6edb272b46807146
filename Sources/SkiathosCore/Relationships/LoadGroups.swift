import SkiathosStore

/// The load groups of one context.
///
/// The groups of the newest hundred thousand rows are kept, and in any case the newest of each
/// entity, which a loop iterates over. Rows whose group is not kept load their relationships
/// alone.
@usableFromInline
final class LoadGroups {
    private static let largestCount = 100_000

    // Guarded by the context that this belongs to. Exclusive access is not checked at run
    // time, since it is only read and set as a whole.
    @exclusivity(unchecked) @usableFromInline private(set) var batches: [LoadGroup] = []
    @exclusivity(unchecked) private var count = 0
    // The rows and the reference of the last look-up: in a loop mostly also those of the next. Not
    // retained: `batches` keeps the rows, and they the reference, until `forgetLast()`.
    @exclusivity(unchecked) @usableFromInline var lastRows: Unmanaged<LoadGroup>?
    @exclusivity(unchecked) @usableFromInline var lastReference: Unmanaged<LoadedReference>?

    /// Registers values that were fetched together.
    @inlinable
    func record<E: Entity>(_ values: [E]) {
        // A single row would gain nothing.
        if values.count > 1 { append(FetchedRows(values)) }
    }

    /// Registers objects that were fetched together.
    @inlinable
    func record<E: Entity>(_ objects: [Managed<E>]) {
        if objects.count > 1 { append(FetchedRows(objects)) }
    }

    /// Discards at the end of a closure the groups that were registered during it.
    func scoped<R>(_ body: () throws -> R) rethrows -> R {
        let known = (batches, count)
        defer {
            (batches, count) = known
            forgetLast()
        }
        return try body()
    }

    /// Registers a row that was fetched alone, for what is loaded with it.
    func addSingle<E: Entity>(_ row: FetchedRows<E>) { append(row) }

    @usableFromInline
    func append(_ batch: LoadGroup) {
        batches.append(batch)
        count += batch.count
        if count > Self.largestCount { forgetOldest() }
    }

    /// The group in which a row was fetched: one for which the wanted rows were loaded
    /// already, else the newest, else one of this row alone.
    ///
    /// Rows of an entity that refers to itself are in several groups: as they were fetched,
    /// and as they were loaded for each other.
    func batch(
        of entity: any Entity.Type, containing id: StoreValue, for key: LoadGroup.Key
    ) -> LoadGroup {
        let type = ObjectIdentifier(entity)
        var newest: LoadGroup?
        for batch in batches.reversed() where batch.entity == type && batch.contains(id) {
            if batch.relations[key] != nil { return batch }
            newest = newest ?? batch
        }
        return newest ?? SingleRowGroup(entity, id: id)
    }

    /// Discards what was loaded, since it may have changed.
    func forgetValues() {
        forgetLast()
        for batch in batches { batch.forgetValues() }
    }

    /// Discards what was loaded where rows were inserted, deleted or moved by changes.
    ///
    /// The rest stays, so that a loop which changes what it has loaded does not load all of it
    /// again in each round.
    func forgetValues(changedBy steps: [StoreChange], touching touched: Set<Int>) {
        forgetLast()
        // Small writes have loaded nothing.
        guard batches.contains(where: \.hasValues) else { return }
        var changed: [Int: ColumnSet] = [:]
        for entity in touched { changed[entity] = .all }
        for step in steps {
            switch step {
            case .insert(let entity, _), .delete(let entity, _): changed[entity] = .all
            case .update(let entity, let columns, _):
                changed[entity, default: []].formUnion(columns)
            case .reserveIDs: break
            }
        }
        for batch in batches {
            if !batch.relations.isEmpty {
                batch.relations = batch.relations.filter {
                    !Self.isOutdated($0.key.request, by: changed)
                }
            }
            // A changed row stays the target of its ID.
            batch.references.removeAll { changed[$0.target] == .all }
        }
    }

    private static func isOutdated(
        _ request: FetchRequest, by changed: [Int: ColumnSet]
    ) -> Bool {
        guard let columns = request.readColumns else { return true }
        guard let changes = changed[request.entity] else { return false }
        return changes == .all || !changes.isDisjoint(with: columns)
    }

    /// Removes all groups.
    func removeAll() {
        // A reader's context is used again and again, mostly for few groups.
        batches.removeAll(keepingCapacity: batches.count <= 8)
        count = 0
        forgetLast()
    }

    private func forgetLast() {
        lastRows = nil
        lastReference = nil
    }

    private func forgetOldest() {
        var newest: Set<ObjectIdentifier> = []
        var kept: [LoadGroup] = []
        var sum = 0
        for batch in batches.reversed() {
            let isNewest = newest.insert(batch.entity).inserted
            guard isNewest || sum + batch.count <= Self.largestCount else { continue }
            sum += batch.count
            kept.append(batch)
        }
        batches = kept.reversed()
        count = sum
        forgetLast()
    }
}
