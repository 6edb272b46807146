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
    @inlinable
    public func related<Target: Entity>(
        _ reference: KeyPath<Self, EntityID<Target>?>, in context: ReadContext
    ) throws -> Target? {
        guard let target = self[keyPath: reference] else { return nil }
        if let known = context.loadedTarget(target, of: id, reference) { return known }
        return try context.load(target, of: id, reference) { $0[keyPath: reference] }
    }

    /// The value that a reference leads to, or `nil` if it leads to none.
    ///
    /// Only the reference of a value that was not stored yet leads to none.
    @inlinable
    public func related<Target: Entity>(
        _ reference: KeyPath<Self, EntityID<Target>>, in context: ReadContext
    ) throws -> Target? {
        let target = self[keyPath: reference]
        if let known = context.loadedTarget(target, of: id, reference) { return known }
        return try context.load(target, of: id, reference) { $0[keyPath: reference] }
    }
}

extension Managed {
    /// The tracked object that a reference leads to, or `nil` if it leads to none, or to one that
    /// the write has deleted.
    ///
    /// Loaded at once for all objects that were fetched together with this one.
    @inlinable
    public func related<Target: Entity>(
        _ reference: KeyPath<E, EntityID<Target>?>, in context: WriteContext
    ) throws -> Managed<Target>? {
        unit.requireOpen()
        if context.hasDeletions { try context.settleDeletions(affecting: unit.entity) }
        guard let target = current[keyPath: reference] else { return nil }
        let unit = try context.unit(of: Target.self)
        if context.hasDeletions { try context.settleDeletions(affecting: unit.entity) }
        if let held = try unit.held(under: target.rawValue) {
            return held.state.contains(.deleted) ? nil : held
        }
        return try context.load(target, of: id, reference) { $0[keyPath: reference] }
    }

    /// The tracked object that a reference leads to, or `nil` if it leads to none, or to one that
    /// the write has deleted.
    @inlinable
    public func related<Target: Entity>(
        _ reference: KeyPath<E, EntityID<Target>>, in context: WriteContext
    ) throws -> Managed<Target>? {
        unit.requireOpen()
        if context.hasDeletions { try context.settleDeletions(affecting: unit.entity) }
        let target = current[keyPath: reference]
        let unit = try context.unit(of: Target.self)
        if context.hasDeletions { try context.settleDeletions(affecting: unit.entity) }
        if let held = try unit.held(under: target.rawValue) {
            return held.state.contains(.deleted) ? nil : held
        }
        return try context.load(target, of: id, reference) { $0[keyPath: reference] }
    }
}
