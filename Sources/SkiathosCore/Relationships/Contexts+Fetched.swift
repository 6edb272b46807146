import SkiathosStore

extension ReadContext {
    /// The load groups of the context, for code that is inlined into users' modules.
    @inlinable var fetchedBatches: LoadGroups { loadGroups ?? batches }

    /// The row that a reference of an owner leads to; see ``LoadGroups/target(_:of:_:)``.
    @inlinable @inline(__always)
    func loadedTarget<E: Entity, Target: Entity>(
        _ id: EntityID<Target>, of owner: EntityID<E>, _ reference: PartialKeyPath<E>
    ) -> Target?? {
        guard let lentGroups else { return nil }
        return lentGroups._withUnsafeGuaranteedRef { $0.target(id, of: owner, reference) }
    }

    /// Registers values that were fetched together, and loads their prefetched relationships.
    @inlinable
    func fetched<E: Entity>(_ values: [E], _ prefetches: [Prefetch<E>]) throws {
        fetchedBatches.record(values)
        if !prefetches.isEmpty { try load(prefetches, for: values) }
    }

    /// Loads prefetched relationships of values.
    @usableFromInline
    func load<E: Entity>(_ prefetches: [Prefetch<E>], for values: [E]) throws {
        guard !prefetches.isEmpty else { return }
        if values.count == 1 { batches.addSingle(FetchedRows(values)) }
        for prefetch in prefetches { try prefetch.loadForValues(values, self) }
    }
}

extension WriteContext {
    /// The load groups of the context, for code that is inlined into users' modules.
    @usableFromInline var fetchedBatches: LoadGroups { batches }

    /// Registers objects that were fetched together, and loads their prefetched relationships.
    func fetched<E: Entity>(_ objects: [Managed<E>], _ prefetches: [Prefetch<E>]) throws {
        batches.record(objects)
        if !prefetches.isEmpty { try load(prefetches, for: objects) }
    }

    /// Loads prefetched relationships of objects.
    func load<E: Entity>(_ prefetches: [Prefetch<E>], for objects: [Managed<E>]) throws {
        guard !prefetches.isEmpty else { return }
        if objects.count == 1 { batches.addSingle(FetchedRows(objects)) }
        for prefetch in prefetches { try prefetch.loadForObjects(objects, self) }
    }
}
