package import Skiathos

/// The rows that refer to a row, along one relation.
package protocol RelatedRows<E>: Sendable {
    associatedtype E: ScopeEntity
    associatedtype Element: ScopeEntity
    var name: String { get }
    func relation(_ columns: E.Columns) -> Relation<E, Element>
    func rows(_ world: ScopeWorld, _ row: Int) -> [Int]
}

package struct RelationRows<E: ScopeEntity, Element: ScopeEntity>: RelatedRows {
    package let name: String
    private let relation: @Sendable (E.Columns) -> Relation<E, Element>
    private let rows: @Sendable (ScopeWorld, Int) -> [Int]

    init(
        _ name: String, _ relation: @escaping @Sendable (E.Columns) -> Relation<E, Element>,
        _ rows: @escaping @Sendable (ScopeWorld, Int) -> [Int]
    ) {
        self.name = name
        self.relation = relation
        self.rows = rows
    }

    package func relation(_ columns: E.Columns) -> Relation<E, Element> { relation(columns) }
    package func rows(_ world: ScopeWorld, _ row: Int) -> [Int] { rows(world, row) }
}

/// Related rows at a place in a query: all, some of them, or what a variable holds.
protocol RowsNode: Sendable, CustomStringConvertible {
    associatedtype Owner: ScopeEntity
    associatedtype Element: ScopeEntity
    func native(_ stack: Stack) -> Relation<Owner, Element>
    func rows(_ world: ScopeWorld, _ rows: [Int]) -> [Int]
}

/// All rows that refer to a row.
struct RowsOf<Related: RelatedRows>: RowsNode {
    typealias Owner = Related.E
    typealias Element = Related.Element

    let row: Int
    let related: Related

    var description: String { "\(name(row)).\(related.name)" }

    func native(_ stack: Stack) -> Relation<Owner, Element> {
        related.relation(stack.columns(row, of: Owner.self))
    }

    func rows(_ world: ScopeWorld, _ rows: [Int]) -> [Int] { related.rows(world, rows[row]) }
}

/// Those that meet a condition.
struct FilteredRows<Base: RowsNode>: RowsNode {
    let base: Base
    let test: any TestNode

    var description: String { "\(base).filter{\(test)}" }

    func native(_ stack: Stack) -> Relation<Base.Owner, Base.Element> {
        base.native(stack).filter(test.closure(Base.Element.self, stack))
    }

    func rows(_ world: ScopeWorld, _ rows: [Int]) -> [Int] {
        base.rows(world, rows).filter { test.holds(world, rows + [$0]) }
    }
}

/// At least one, every or no row meets a condition.
struct QuantifiedNode<Rows: RowsNode>: TestNode {
    enum Quantifier { case some, all }

    let rows: Rows
    let quantifier: Quantifier
    let test: any TestNode

    var description: String {
        "\(rows).\(quantifier == .some ? "exists" : "allSatisfy"){\(test)}"
    }

    func native<R: ScopeEntity>(_ stack: Stack) -> Condition<R> {
        let (relation, test) = (rows.native(stack), test.closure(Rows.Element.self, stack))
        return switch quantifier {
        case .some: relation.exists { test($0) }.within(R.self)
        case .all: relation.allSatisfy { test($0) }.within(R.self)
        }
    }

    func holds(_ world: ScopeWorld, _ outer: [Int]) -> Bool {
        let found = rows.rows(world, outer)
        return switch quantifier {
        case .some: found.contains { test.holds(world, outer + [$0]) }
        case .all: found.allSatisfy { test.holds(world, outer + [$0]) }
        }
    }
}

/// There are rows, or none.
struct PresenceNode<Rows: RowsNode>: TestNode {
    let rows: Rows
    let isEmpty: Bool

    var description: String { "\(rows).\(isEmpty ? "isEmpty" : "exists")" }

    func native<R: ScopeEntity>(_ stack: Stack) -> Condition<R> {
        let relation = rows.native(stack)
        return (isEmpty ? relation.isEmpty : relation.exists()).within(R.self)
    }

    func holds(_ world: ScopeWorld, _ outer: [Int]) -> Bool {
        rows.rows(world, outer).isEmpty == isEmpty
    }
}
