import SkiathosStore

/// Rows of one entity that were fetched together: values of a read, or objects of a write.
@usableFromInline
final class FetchedRows<E: Entity>: LoadGroup {
    @usableFromInline let values: [E]
    @usableFromInline let objects: [Managed<E>]

    // Both guarded by the context that the group belongs to.

    /// The position of the last look-up: mostly this row or the next one follows.
    @exclusivity(unchecked) @usableFromInline var last = 0
    /// The positions of all rows by ID, once rows were looked up in another order.
    @exclusivity(unchecked) @usableFromInline var positions: [E.RawID.Identity: Int]?

    /// Rows of a read.
    @inlinable
    init(_ values: [E]) {
        self.values = values
        objects = []
        super.init(ObjectIdentifier(E.self), count: values.count)
    }

    /// Rows of a write.
    @inlinable
    init(_ objects: [Managed<E>]) {
        values = []
        self.objects = objects
        super.init(ObjectIdentifier(E.self), count: objects.count)
    }

    override func makeIDs() -> [StoreValue] {
        (0..<count).compactMap { try? key(at: $0).stored }
    }

    @inlinable
    func key(at position: Int) -> E.RawID {
        guard objects.isEmpty else { return objects[position].current.id.rawValue }
        // Reads the ID in place: a subscript of the array copies the whole row.
        return values.withUnsafeBufferPointer { $0[position].id.rawValue }
    }

    /// Whether a row belongs to this group.
    @inlinable
    func contains(_ key: E.RawID) -> Bool {
        // Mostly the row after that of the last look-up; its own if a row has several references.
        let next = last + 1
        if next < count, self.key(at: next).identity == key.identity {
            last = next
            return true
        }
        return finds(key)
    }

    @inlinable @inline(never)
    func finds(_ key: E.RawID) -> Bool {
        if last < count, self.key(at: last).identity == key.identity { return true }
        // A loop may skip rows that refer to nothing.
        for position in min(last + 2, count)..<min(last + 5, count)
        where self.key(at: position).identity == key.identity {
            last = position
            return true
        }
        if positions == nil {
            let rows = (0..<count).map { (self.key(at: $0).identity, $0) }
            positions = Dictionary(rows) { first, _ in first }
        }
        guard let position = positions?[key.identity] else { return false }
        last = position
        return true
    }

    /// Whether these are exactly the rows of a list.
    @inlinable
    func isSame(as list: [E]) -> Bool {
        let (own, other) = (values, list)
        return own.count == other.count
            && own.withUnsafeBufferPointer(\.baseAddress)
                == other.withUnsafeBufferPointer(\.baseAddress)
    }

    /// The rows that were loaded for a reference, if any were.
    ///
    /// A key path that is not the same object as the last one is compared by its column.
    @inlinable
    func loaded<Target: Entity>(
        _ reference: PartialKeyPath<E>, _ target: Target.Type
    ) -> LoadedTargets<Target>? {
        for loaded in references where loaded.keyPath === reference {
            // Only key paths to IDs of this entity are kept with it.
            return unsafeDowncast(loaded, to: LoadedTargets<Target>.self)
        }
        return references.isEmpty ? nil : recall(reference, target)
    }

    @usableFromInline
    func recall<Target: Entity>(
        _ reference: PartialKeyPath<E>, _ target: Target.Type
    ) -> LoadedTargets<Target>? {
        let position = E.position(ofReference: reference)
        let known = references.first { $0.position == position } as? LoadedTargets<Target>
        known?.keyPath = reference
        return known
    }
}
