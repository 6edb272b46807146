import SkiathosStore

/// The rows of a list in order, of which a few can change without touching the others.
struct OrderedRows<E: Entity>: Sendable {
    /// What one row has become.
    enum Update: Sendable {
        case present(E)
        case absent
    }

    private let order: RowOrder
    private var keys: OrderedKeys
    /// The row in each slot, `nil` in a free one.
    private var elements: [E?] = []
    private var slots: [E.ID: Int] = [:]

    /// How many rows there are.
    var count: Int { keys.count }

    init(order: RowOrder) {
        self.order = order
        keys = OrderedKeys(order: order)
    }

    /// All rows, in order.
    var rows: [E] { keys.slots.compactMap { elements[$0] } }

    /// Replaces all rows.
    mutating func replace(with rows: [E]) throws -> ListDifference<E> {
        let old = self.rows
        keys.replace(with: try rows.map { order.key(of: try $0.storedValues()) })
        elements = rows
        slots = Dictionary(
            rows.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        return ListDifference(from: old, to: self.rows)
    }

    /// Changes some rows, each ID once.
    mutating func apply(_ updates: [E.ID: Update]) throws -> ListDifference<E> {
        let oldCount = count
        // Nothing is changed before all keys are known.
        var changed: [(id: E.ID, row: E?, key: [StoreValue]?)] = []
        for (id, update) in updates {
            let slot = slots[id]
            switch update {
            case .absent: if slot != nil { changed.append((id, nil, nil)) }
            case .present(let row):
                if let old = slot.flatMap({ elements[$0] }),
                    row.changedColumns(from: old).isEmpty
                {
                    continue
                }
                changed.append((id, row, order.key(of: try row.storedValues())))
            }
        }
        var changes: [OrderedKeys.Change] = []
        for (id, row, key) in changed {
            let slot = slots[id] ?? keys.takeSlot()
            slots[id] = row == nil ? nil : slot
            if slot == elements.count { elements.append(row) } else { elements[slot] = row }
            changes.append(OrderedKeys.Change(slot: slot, key: key))
        }
        let placements = keys.apply(changes)

        var removed: [ListDifference<E>.Removal] = []
        var inserted: [ListDifference<E>.Row] = []
        var updated: [ListDifference<E>.Row] = []
        var moved: [ListDifference<E>.Move] = []
        for ((id, row, _), placement) in zip(changed, placements) {
            switch (placement.old, placement.new, row) {
            case (let old?, let new?, let row?):
                updated.append(.init(index: new, element: row))
                if placement.isMoved { moved.append(.init(from: old, to: new, id: id)) }
            case (nil, let new?, let row?): inserted.append(.init(index: new, element: row))
            case (let old?, _, _): removed.append(.init(index: old, id: id))
            default: break
            }
        }
        if changed.count > 1 {
            removed.sort { $0.index < $1.index }
            inserted.sort { $0.index < $1.index }
            updated.sort { $0.index < $1.index }
            moved.sort { $0.to < $1.to }
        }
        return ListDifference(
            oldCount: oldCount, newCount: count, removed: removed, inserted: inserted,
            moved: moved, updated: updated)
    }
}
