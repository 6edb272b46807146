public import SkiathosStore

// Inlined into users' modules, so that the loops over rows are those of the entities in question:
// called as plain generics they cost several times as much.
extension ReadContext {
    /// Loads the row that a reference leads to, and those of all rows that were fetched together
    /// with its owner.
    @inlinable @inline(never)
    func load<E: Entity, Target: Entity>(
        _ id: EntityID<Target>, of owner: EntityID<E>, _ reference: PartialKeyPath<E>,
        _ key: (E) -> EntityID<Target>?
    ) throws -> Target? {
        guard let rows = fetchedBatches.rows(with: owner, reference, Target.self) else {
            let alone: [Target] = try fetch([try id.rawValue.stored])
            return alone.first
        }
        let loaded = try load(reference, of: rows, and: id, key)
        return loaded[id.rawValue] ?? nil
    }

    /// Loads the rows that a reference of rows leads to, as far as they were not loaded
    /// before.
    ///
    /// - Parameter id: One more wanted row, which the owner's changed copy refers to.
    @inlinable
    func load<E: Entity, Target: Entity>(
        _ reference: PartialKeyPath<E>, of rows: FetchedRows<E>, and id: EntityID<Target>?,
        _ key: (E) -> EntityID<Target>?
    ) throws -> LoadedTargets<Target> {
        let known = rows.loaded(reference, Target.self)
        let loaded =
            try known
            ?? LoadedTargets(
                position: E.position(ofReference: reference), target: position(of: Target.self),
                reference)
        var wanted = TargetRequest<Target>(after: loaded.positions, capacity: rows.count)
        // A loop over the array itself copies each row.
        rows.values.withUnsafeBufferPointer { rows in
            for index in rows.indices {
                if let id = key(rows[index]) { wanted.want(id.rawValue) }
            }
        }
        if let id { wanted.want(id.rawValue) }
        wanted.finish()
        if !wanted.keys.isEmpty {
            let targets: [Target] = try fetch(try wanted.ids)
            wanted.find(targets, after: loaded.targets.count)
            // Mostly they are the first, and stay the list that was registered.
            loaded.targets = loaded.targets.isEmpty ? targets : loaded.targets + targets
            loaded.positions = wanted.positions
        }
        if known == nil { rows.references.append(loaded) }
        return loaded
    }

    /// Loads the rows that a reference of values leads to.
    @inlinable
    func load<E: Entity, Target: Entity>(
        _ reference: PartialKeyPath<E>, ofAll values: [E], _ key: (E) -> EntityID<Target>?
    ) throws -> [Target] {
        if let rows = fetchedBatches.newestRows(values) {
            return try load(reference, of: rows, and: nil, key).targets
        }
        // The first access loads for all rows of a group; the others find what they need.
        return try values.compactMap { value in
            guard let target = key(value) else { return nil }
            if let known = loadedTarget(target, of: value.id, reference) { return known }
            return try load(target, of: value.id, reference, key)
        }
    }

    /// Fetches the rows with some IDs, which then count as fetched together.
    @inlinable
    func fetch<Target: Entity>(_ ids: [StoreValue]) throws -> [Target] {
        let entity = try position(of: Target.self)
        var values: [Target] = []
        values.reserveCapacity(ids.count)
        try query { session in
            try session.fetch(entity: entity, ids: ids) {
                try Target.decodeRows(&$0, into: &values)
            }
        }
        fetchedBatches.record(values)
        return values
    }
}
