import SkiathosStore

/// The objects of one entity whose rows were read inside a nested scope.
final class FetchedObjects<E: Entity> {
    // Guarded by the write that the scope belongs to.
    private var objects: [ObjectIdentifier: Managed<E>] = [:]
    private let unit: UnitOfWork<E>

    init(of unit: UnitOfWork<E>) { self.unit = unit }

    func add(_ others: some Sequence<Managed<E>>) {
        for object in others { objects[ObjectIdentifier(object)] = object }
    }
}

/// The same of any entity.
protocol AnyFetchedObjects {
    /// Adds those of the same entity that were read inside a scope within this one.
    func add(all others: any AnyFetchedObjects)
    /// Reads the rows again, after the scope was rolled back.
    func refresh(in session: any StoreSession) throws
}

extension FetchedObjects: AnyFetchedObjects {
    func add(all others: any AnyFetchedObjects) {
        if let others = others as? FetchedObjects<E> { add(others.objects.values) }
    }

    func refresh(in session: any StoreSession) throws {
        try unit.refresh(Array(objects.values), in: session, isUndo: true)
    }
}
