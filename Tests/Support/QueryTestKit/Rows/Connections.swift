package import Skiathos

/// The rows that links connect with a row.
package protocol ConnectedRows<E>: Sendable {
    associatedtype E: ScopeEntity
    associatedtype Element: ScopeEntity
    associatedtype Link: ScopeEntity
    var name: String { get }
    func relation(_ columns: E.Columns) -> LinkedRelation<E, Element, Link>
    /// One for each link; `nil` where a link leads nowhere.
    func rows(_ world: ScopeWorld, _ row: Int) -> [Int?]
}

package struct Connection<E: ScopeEntity, Element: ScopeEntity, Link: ScopeEntity>: ConnectedRows {
    package let name: String
    private let relation: @Sendable (E.Columns) -> LinkedRelation<E, Element, Link>
    private let rows: @Sendable (ScopeWorld, Int) -> [Int?]

    init(
        _ name: String,
        _ relation: @escaping @Sendable (E.Columns) -> LinkedRelation<E, Element, Link>,
        _ rows: @escaping @Sendable (ScopeWorld, Int) -> [Int?]
    ) {
        self.name = name
        self.relation = relation
        self.rows = rows
    }

    package func relation(_ columns: E.Columns) -> LinkedRelation<E, Element, Link> {
        relation(columns)
    }
    package func rows(_ world: ScopeWorld, _ row: Int) -> [Int?] { rows(world, row) }
}

/// A connected row meets a condition.
struct ConnectedNode<Rows: ConnectedRows>: TestNode {
    let row: Int
    let connected: Rows
    let test: any TestNode

    var description: String { "\(name(row)).\(connected.name).exists{\(test)}" }

    func native<R: ScopeEntity>(_ stack: Stack) -> Condition<R> {
        let test = test.closure(Rows.Element.self, stack)
        return connected.relation(stack.columns(row, of: Rows.E.self)).exists { test($0) }
            .within(R.self)
    }

    func holds(_ world: ScopeWorld, _ rows: [Int]) -> Bool {
        connected.rows(world, rows[row]).contains { found in
            found.map { test.holds(world, rows + [$0]) } ?? false
        }
    }
}

/// There is a connection, or none.
struct ConnectionPresenceNode<Rows: ConnectedRows>: TestNode {
    let row: Int
    let connected: Rows
    let isEmpty: Bool

    var description: String {
        "\(name(row)).\(connected.name).\(isEmpty ? "isEmpty" : "exists")"
    }

    func native<R: ScopeEntity>(_ stack: Stack) -> Condition<R> {
        let relation = connected.relation(stack.columns(row, of: Rows.E.self))
        return (isEmpty ? relation.isEmpty : relation.exists()).within(R.self)
    }

    func holds(_ world: ScopeWorld, _ rows: [Int]) -> Bool {
        connected.rows(world, rows[row]).isEmpty == isEmpty
    }
}

/// The number of connections.
struct ConnectionCountNode<Rows: ConnectedRows>: OperandNode {
    let row: Int
    let connected: Rows

    var description: String { "\(name(row)).\(connected.name).count" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Int> {
        connected.relation(stack.columns(row, of: Rows.E.self)).count.within(R.self)
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> Int { connected.rows(world, rows[row]).count }
}

/// The sum over connected rows.
struct ConnectionSumNode<Rows: ConnectedRows>: OperandNode {
    let row: Int
    let connected: Rows
    let operand: any OperandNode<Int>

    var description: String { "\(name(row)).\(connected.name).sum{\(operand)}" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Int> {
        connected.relation(stack.columns(row, of: Rows.E.self))
            .sum(operand.closure(Rows.Element.self, stack)).within(R.self)
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> Int {
        connected.rows(world, rows[row]).compactMap { $0 }
            .reduce(0) { $0 + operand.value(world, rows + [$1]) }
    }
}
