import Skiathos

/// A reference from an entity to itself.
package struct Descent<E: ScopeEntity>: Sendable {
    let name: String
    private let path: any WritableKeyPath<E, EntityID<E>?> & Sendable
    let target: @Sendable (ScopeWorld, Int) -> Int?

    init(
        _ name: String, _ path: any WritableKeyPath<E, EntityID<E>?> & Sendable,
        _ target: @escaping @Sendable (ScopeWorld, Int) -> Int?
    ) {
        self.name = name
        self.path = path
        self.target = target
    }

    /// The reference as a member of the columns.
    var member: KeyPath<E.Columns, Column<E, EntityID<E>?>> {
        let path: WritableKeyPath<E, EntityID<E>?> = path
        return \TableColumns<E>.[dynamicMember: path]
    }

    func column(_ columns: E.Columns) -> Column<E, EntityID<E>?> { columns[keyPath: member] }
}

/// Following a reference again and again leads from a row to one of several, or from one of them to
/// the row.
struct DescentNode<E: ScopeEntity>: TestNode {
    let row: Int
    let reference: Descent<E>
    let ids: [EntityID<E>]
    let isAbove: Bool

    var description: String {
        "\(name(row)).\(reference.name).\(isAbove ? "isAbove" : "descends(from:)")(\(ids))"
    }

    func native<R: ScopeEntity>(_ stack: Stack) -> Condition<R> {
        let column = reference.column(stack.columns(row, of: E.self))
        let condition =
            if ids.count == 1 {
                isAbove ? column.isAbove(ids[0]) : column.descends(from: ids[0])
            } else {
                isAbove ? column.isAbove(ids) : column.descends(from: ids)
            }
        return condition.within(R.self)
    }

    func holds(_ world: ScopeWorld, _ rows: [Int]) -> Bool {
        let others = E.rows(in: world).indices.filter { ids.contains(E.rows(in: world)[$0].id) }
        return others.contains { other in
            isAbove
                ? reference.leads(from: other, to: rows[row], world)
                : reference.leads(from: rows[row], to: other, world)
        }
    }
}

extension Descent {
    /// Whether following the reference at least once leads from a row to another one.
    func leads(from start: Int, to end: Int, _ world: ScopeWorld) -> Bool {
        var seen: Set<Int> = []
        var place = target(world, start)
        while let next = place, seen.insert(next).inserted {
            if next == end { return true }
            place = target(world, next)
        }
        return false
    }
}
