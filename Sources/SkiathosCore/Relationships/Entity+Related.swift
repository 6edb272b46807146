import SkiathosStore

extension Entity {
    /// The value that a reference leads to, or `nil` if it leads to none.
    ///
    /// ```swift
    /// for user in try User.all(in: context) {
    ///     print(user.name, try user.related(\.company, in: context)?.name ?? "none")
    /// }
    /// // SELECT … FROM "user"
    /// // SELECT … FROM "company" WHERE ("id" IN (1, 2, …))      once, for all users
    /// ```
    ///
    /// Loaded at once for all rows that were fetched together with this one.
    public func related<Target: Entity>(
        _ reference: KeyPath<Self, EntityID<Target>?>, in context: ReadContext
    ) throws -> Target? {
        guard let id = self[keyPath: reference] else { return nil }
        return try target(id, Self.position(ofReference: reference), context)
    }

    /// The value that a reference leads to, or `nil` if it leads to none.
    ///
    /// Only the reference of a value that was not stored yet leads to none.
    public func related<Target: Entity>(
        _ reference: KeyPath<Self, EntityID<Target>>, in context: ReadContext
    ) throws -> Target? {
        try target(self[keyPath: reference], Self.position(ofReference: reference), context)
    }

    private func target<Target: Entity>(
        _ id: EntityID<Target>, _ reference: Int, _ context: ReadContext
    ) throws -> Target? {
        let position = try context.position(of: Target.self)
        let key = try StoreValue(id, Coding.of(Target.ID.self))
        let own = try StoreValue(self.id, Coding.of(ID.self))
        let slot = FetchedBatch.Key(
            request: FetchRequest(entity: position), reference: reference, isCount: false)
        let batch = context.batches.batch(of: Self.self, containing: own, for: slot)
        var known = batch.values[slot] as? [StoreValue: Target?] ?? [:]
        if let target = known[key] { return target }
        let keys = Set(try batch.references(reference) + [key]).subtracting(known.keys)
        var values: [Target] = []
        try context.query { session in
            try session.fetch(entity: position, ids: Array(keys)) {
                try Target.decodeRows(&$0, into: &values)
            }
        }
        context.batches.record(values)
        for missing in keys { known[missing] = .some(nil) }
        for value in values { known[try StoreValue(value.id, Coding.of(Target.ID.self))] = value }
        batch.values[slot] = known
        return known[key] ?? nil
    }
}

extension Managed {
    /// The tracked object that a reference leads to, or `nil` if it leads to none, or to one that
    /// the write has deleted.
    ///
    /// Loaded at once for all objects that were fetched together with this one.
    public func related<Target: Entity>(
        _ reference: KeyPath<E, EntityID<Target>?>, in context: WriteContext
    ) throws -> Managed<Target>? {
        guard let id = current[keyPath: reference] else { return nil }
        return try target(id, E.position(ofReference: reference), context)
    }

    /// The tracked object that a reference leads to, or `nil` if it leads to none, or to one that
    /// the write has deleted.
    public func related<Target: Entity>(
        _ reference: KeyPath<E, EntityID<Target>>, in context: WriteContext
    ) throws -> Managed<Target>? {
        try target(current[keyPath: reference], E.position(ofReference: reference), context)
    }

    private func target<Target: Entity>(
        _ id: EntityID<Target>, _ reference: Int, _ context: WriteContext
    ) throws -> Managed<Target>? {
        let unit = try context.unit(of: Target.self)
        if let held = unit.map[id.rawValue] { return held.state.contains(.deleted) ? nil : held }
        let own = try StoreValue(self.id, Coding.of(E.ID.self))
        let slot = FetchedBatch.Key(
            request: FetchRequest(entity: unit.entity), reference: reference, isCount: false)
        let batch = context.batches.batch(of: E.self, containing: own, for: slot)
        let key = try StoreValue(id, Coding.of(Target.ID.self))
        var objects: [Managed<Target>] = []
        // The rows of objects that are not held cannot be pending, so nothing is flushed.
        let asked = batch.values[slot] as? Set<StoreValue> ?? []
        let keys = Set(try batch.references(reference)).subtracting(asked).union([key])
        try context.lookUp { session in
            try session.fetch(entity: unit.entity, ids: Array(keys)) {
                try Target.decodeRows(&$0, into: &objects, of: unit)
            }
        }
        context.batches.record(objects)
        // The objects themselves are in the identity map.
        batch.values[slot] = asked.union(keys)
        guard let object = unit.map[id.rawValue], !object.state.contains(.deleted) else {
            return nil
        }
        return object
    }
}
