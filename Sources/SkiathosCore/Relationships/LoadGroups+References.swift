import SkiathosStore

extension LoadGroups {
    /// The row that a reference of an owner leads to, which may be none; `nil` if it was not
    /// loaded yet for the rows that were fetched together with the owner.
    @inlinable
    func target<E: Entity, Target: Entity>(
        _ id: EntityID<Target>, of owner: EntityID<E>, _ reference: PartialKeyPath<E>
    ) -> Target?? {
        if let lastRows, let lastReference,
            lastReference._withUnsafeGuaranteedRef({ $0.keyPath === reference }),
            lastRows._withUnsafeGuaranteedRef({ batch in
                // Not as an optional, which would be retained.
                batch.entity == ObjectIdentifier(E.self)
                    && unsafeDowncast(batch, to: FetchedRows<E>.self).contains(owner.rawValue)
            })
        {
            let known: Target?? = lastReference._withUnsafeGuaranteedRef { loaded in
                // A key path leads to the IDs of one entity.
                unsafeDowncast(loaded, to: LoadedTargets<Target>.self)[id.rawValue]
            }
            if let known { return known }
        }
        return search(id, of: owner, reference)
    }

    @inlinable @inline(never)
    func search<E: Entity, Target: Entity>(
        _ id: EntityID<Target>, of owner: EntityID<E>, _ reference: PartialKeyPath<E>
    ) -> Target?? {
        for batch in batches.reversed() {
            guard let rows = rows(batch, E.self), let loaded = rows.loaded(reference, Target.self),
                rows.contains(owner.rawValue)
            else { continue }
            guard let known = loaded[id.rawValue] else { continue }
            lastRows = .passUnretained(rows)
            lastReference = .passUnretained(loaded)
            return known
        }
        return nil
    }

    /// The group in which a row was fetched: one for which a reference was loaded already,
    /// else the newest.
    @inlinable
    func rows<E: Entity, Target: Entity>(
        with owner: EntityID<E>, _ reference: PartialKeyPath<E>, _ target: Target.Type
    ) -> FetchedRows<E>? {
        var newest: FetchedRows<E>?
        for batch in batches.reversed() {
            guard let rows = rows(batch, E.self), rows.contains(owner.rawValue) else { continue }
            if rows.loaded(reference, target) != nil { return rows }
            newest = newest ?? rows
        }
        return newest
    }

    /// The group of exactly the rows of a list, if it is the newest of their entity.
    @inlinable
    func newestRows<E: Entity>(_ list: [E]) -> FetchedRows<E>? {
        for batch in batches.reversed() {
            guard let rows = rows(batch, E.self) else { continue }
            return rows.isSame(as: list) ? rows : nil
        }
        return nil
    }

    /// A group, if its rows are of an entity.
    @inlinable
    func rows<E: Entity>(_ batch: LoadGroup, _ entity: E.Type) -> FetchedRows<E>? {
        // A group of an entity's rows that is not a single row is of this class.
        batch.entity == ObjectIdentifier(entity)
            ? unsafeDowncast(batch, to: FetchedRows<E>.self) : nil
    }
}
