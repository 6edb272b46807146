import SkiathosStore

extension ReadContext {
    /// Takes note of values that were fetched together, and loads what shall come with them.
    func fetched<E: Entity>(_ values: [E], _ prefetches: [Prefetch<E>]) throws {
        batches.record(values)
        for prefetch in prefetches { try prefetch.loadForValues(values, self) }
    }
}

extension WriteContext {
    /// Takes note of objects that were fetched together, and loads what shall come with them.
    func fetched<E: Entity>(_ objects: [Managed<E>], _ prefetches: [Prefetch<E>]) throws {
        batches.record(objects)
        for prefetch in prefetches { try prefetch.loadForObjects(objects, self) }
    }
}
