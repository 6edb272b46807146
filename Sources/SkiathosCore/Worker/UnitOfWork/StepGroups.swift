public import SkiathosStore

/// Pending objects by the step that they need.
///
/// Mostly all of them need the same one. So long as that is so, the objects are counted and not
/// copied: retaining and releasing them one by one takes longer than finding out what they need.
@usableFromInline
struct StepGroups<E: Entity> {
    /// The objects that need one step, in the order in which they became pending.
    @usableFromInline
    struct Group {
        @usableFromInline let change: PendingChange
        @usableFromInline var objects: [Managed<E>]

        @inlinable
        init(change: PendingChange, objects: [Managed<E>]) {
            self.change = change
            self.objects = objects
        }

        @inlinable
        func rows(_ columns: ColumnSet, isInsertion: Bool = false) -> ObjectRows<E> {
            ObjectRows(objects: objects, columns: columns, isInsertion: isInsertion)
        }
    }

    @usableFromInline let pending: [Managed<E>]
    /// How many objects from the first on need the step of the first, while ``groups`` is empty.
    @usableFromInline var leadingCount = 0
    @usableFromInline var leadingChange = PendingChange(.none)
    @usableFromInline var groups: [Group] = []
    /// The index of the group of each step.
    @usableFromInline var places: [PendingChange: Int] = [:]
    // The group of the last object, mostly also that of the next.
    @usableFromInline var lastPlace = 0

    @inlinable
    init(of pending: [Managed<E>]) { self.pending = pending }

    /// Adds the object with an index, which is higher than those of all objects before.
    @inlinable @inline(__always)
    mutating func add(_ index: Int, _ change: PendingChange) {
        if index == 0 { leadingChange = change }
        if index == leadingCount, change == leadingChange {
            leadingCount += 1
        } else {
            addToGroup(index, change)
        }
    }

    @inlinable @inline(never)
    mutating func addToGroup(_ index: Int, _ change: PendingChange) {
        if groups.isEmpty, leadingCount > 0 {
            moveToGroup(of: leadingChange)
            groups[lastPlace].objects.append(contentsOf: pending[..<leadingCount])
        }
        if groups.isEmpty || groups[lastPlace].change != change { moveToGroup(of: change) }
        groups[lastPlace].objects.append(pending[index])
    }

    @inlinable @inline(never)
    mutating func moveToGroup(of change: PendingChange) {
        if let place = places[change] {
            lastPlace = place
        } else {
            lastPlace = groups.count
            places[change] = lastPlace
            groups.append(Group(change: change, objects: []))
        }
    }

    /// The groups in a fixed order, so that the same write always runs the same statements.
    @inlinable
    func sortedGroups() -> [Group] {
        if groups.isEmpty {
            guard leadingCount > 0 else { return [] }
            let all = leadingCount == pending.count ? pending : Array(pending[..<leadingCount])
            return [Group(change: leadingChange, objects: all)]
        }
        return groups.sorted { $0.change.precedes($1.change) }
    }
}
