public import SkiathosStore

extension WriteContext {
    /// Loads the object that a reference leads to, and those of all rows that were fetched together
    /// with its owner; returns it, unless there is none or the write has deleted it.
    @inlinable @inline(never)
    func load<E: Entity, Target: Entity>(
        _ id: EntityID<Target>, of owner: EntityID<E>, _ reference: PartialKeyPath<E>,
        _ key: (E) -> EntityID<Target>?
    ) throws -> Managed<Target>? {
        let unit = try unit(of: Target.self)
        let rows = fetchedBatches.rows(with: owner, reference, Target.self)
        let known = rows?.loaded(reference, Target.self)
        var wanted = TargetRequest<Target>(
            after: known?.positions ?? TargetPositions(), capacity: rows?.count ?? 1)
        for row in rows?.objects ?? [] {
            if let id = key(row.current) { wanted.want(id.rawValue) }
        }
        wanted.finish(again: id.rawValue)
        let ids = try wanted.ids
        var objects: [Managed<Target>] = []
        // Rows of objects that are not tracked cannot be pending, so nothing is flushed.
        try lookUp { session in
            try session.fetch(entity: unit.entity, ids: ids) {
                try Target.decodeRows(&$0, into: &objects, of: unit)
            }
        }
        fetchedBatches.record(objects)
        if let rows {
            let loaded =
                known
                ?? LoadedTargets(
                    position: E.position(ofReference: reference), target: unit.entity, reference)
            // The objects themselves are in the identity map.
            loaded.positions = wanted.positions
            if known == nil { rows.references.append(loaded) }
        }
        guard let object = unit.map[id.rawValue], !object.state.contains(.deleted) else {
            return nil
        }
        return object
    }
}
