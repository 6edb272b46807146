import Skiathos

/// Both of two conditions, or at least one.
struct JoinNode: TestNode {
    let left: any TestNode
    let right: any TestNode
    let isAll: Bool

    var description: String { "(\(left) \(isAll ? "&&" : "||") \(right))" }

    func native<R: ScopeEntity>(_ stack: Stack) -> Condition<R> {
        isAll
            ? left.native(stack) && right.native(stack)
            : left.native(stack) || right.native(stack)
    }

    func holds(_ world: ScopeWorld, _ rows: [Int]) -> Bool {
        isAll
            ? left.holds(world, rows) && right.holds(world, rows)
            : left.holds(world, rows) || right.holds(world, rows)
    }
}

/// The opposite of a condition.
struct NotNode: TestNode {
    let test: any TestNode

    var description: String { "!\(test)" }

    func native<R: ScopeEntity>(_ stack: Stack) -> Condition<R> { !test.native(stack) }

    func holds(_ world: ScopeWorld, _ rows: [Int]) -> Bool { !test.holds(world, rows) }
}

/// Every row, or none.
struct ConstantNode: TestNode {
    let isTrue: Bool

    var description: String { isTrue ? ".always" : ".never" }

    func native<R: ScopeEntity>(_ stack: Stack) -> Condition<R> { isTrue ? .always : .never }

    func holds(_ world: ScopeWorld, _ rows: [Int]) -> Bool { isTrue }
}
