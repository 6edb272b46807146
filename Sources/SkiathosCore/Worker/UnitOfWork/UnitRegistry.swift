/// The units of work of one write.
@usableFromInline
struct UnitRegistry {
    /// By the position of the entity; `nil` where the write has not used it.
    private(set) var units: [(any AnyUnitOfWork)?]
    /// The unit that was asked for last, which mostly is the next one, and its entity.
    @usableFromInline private(set) var last: AnyObject?
    @usableFromInline private(set) var lastEntity: ObjectIdentifier?
    /// Whether any entity of the write so far has hooks or a validation.
    private(set) var needsPreparation = false

    init(entityCount: Int) { units = Array(repeating: nil, count: entityCount) }

    /// The unit of an entity, if it was asked for last.
    @inlinable
    func last<E: Entity>(of entity: E.Type) -> UnitOfWork<E>? {
        // There is one for each type.
        guard let last, lastEntity == ObjectIdentifier(E.self) else { return nil }
        return unsafeDowncast(last, to: UnitOfWork<E>.self)
    }

    /// Adds the unit of an entity, or records that it was asked for.
    mutating func use<E: Entity>(_ unit: UnitOfWork<E>, _ traits: EntityTraits) {
        units[unit.entity] = unit
        last = unit
        lastEntity = ObjectIdentifier(E.self)
        if traits.needsPreparation { needsPreparation = true }
    }
}
