/// The units of work of one write.
///
/// Not `Sendable`: guarded by the write, like its context. Not a struct, which would be copied as a
/// whole to read one field.
@usableFromInline
final class UnitRegistry {
    // Exclusive access is not checked at run time: each field is read and changed by code that
    // calls nothing meanwhile which could lead back here.
    /// By the position of the entity; `nil` where the write has not used it.
    @exclusivity(unchecked) private(set) var units: [(any AnyUnitOfWork)?]
    /// The units of earlier writes with the same context, by the position of the entity.
    @exclusivity(unchecked) private var idle: [(any AnyUnitOfWork)?]
    /// How many units this write has.
    @exclusivity(unchecked) private var count = 0
    /// The position of the unit that was added last: the only one of most writes.
    @exclusivity(unchecked) private var newest = 0
    /// The unit that was asked for last, which mostly is the next one, and its entity.
    ///
    /// Not retained: `units` keeps it.
    @exclusivity(unchecked) @usableFromInline private(set) var last: Unmanaged<AnyObject>?
    @exclusivity(unchecked) @usableFromInline private(set) var lastEntity: ObjectIdentifier?
    /// Whether any entity of the write so far has hooks or a validation.
    @exclusivity(unchecked) private(set) var needsPreparation = false

    init(entityCount: Int) {
        units = Array(repeating: nil, count: entityCount)
        idle = units
    }

    /// The pending objects of all units.
    struct Pending {
        /// How many there are.
        var count = 0
        /// Their unit, if it is only one.
        var unit: (any AnyUnitOfWork)?
    }

    /// The pending objects of all units.
    var pending: Pending {
        var pending = Pending()
        if count == 1, let unit = units[newest] {
            pending.count = unit.pendingCount
            if pending.count > 0 { pending.unit = unit }
            return pending
        }
        for case let unit? in units {
            let count = unit.pendingCount
            guard count > 0 else { continue }
            pending.unit = pending.count == 0 ? unit : nil
            pending.count += count
        }
        return pending
    }

    /// The unit of an entity, which may be that of an earlier write; `nil` if there is none.
    ///
    /// Records that it was asked for.
    func unit(
        at position: Int, _ entity: ObjectIdentifier, in context: WriteContext
    ) -> AnyObject? {
        if let unit = units[position] {
            last = .passUnretained(unit)
            lastEntity = entity
            return unit
        }
        guard let unit = idle[position].take() else { return nil }
        unit.begin(context)
        add(unit, at: position, entity, in: context)
        return unit
    }

    /// Adds the unit of an entity.
    func add(
        _ unit: any AnyUnitOfWork, at position: Int, _ entity: ObjectIdentifier,
        in context: WriteContext
    ) {
        units[position] = unit
        count += 1
        newest = position
        last = .passUnretained(unit)
        lastEntity = entity
        if context.traits[position].needsPreparation { needsPreparation = true }
    }

    /// Ends all units, and keeps those for the next write that no other code can reach.
    func end() {
        last = nil
        lastEntity = nil
        needsPreparation = false
        if count == 1 {
            end(at: newest)
        } else if count > 1 {
            for position in units.indices { end(at: position) }
        }
        count = 0
    }

    private func end(at position: Int) {
        guard var unit = units[position].take() else { return }
        unit.end()
        // An object that was let out of its closure holds its unit, and must find that ended.
        guard isUnshared(&unit) else { return }
        unit.shrink()
        idle[position] = unit
    }

    /// The unit of an entity, if it was asked for last.
    @inlinable
    func last<E: Entity>(of entity: E.Type) -> UnitOfWork<E>? {
        // There is one for each type.
        guard let last, lastEntity == ObjectIdentifier(E.self) else { return nil }
        return unsafeDowncast(last.takeUnretainedValue(), to: UnitOfWork<E>.self)
    }
}

private func isUnshared<Unit: AnyUnitOfWork>(_ unit: inout Unit) -> Bool {
    isKnownUniquelyReferenced(&unit)
}
