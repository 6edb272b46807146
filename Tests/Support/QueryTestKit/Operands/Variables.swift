import Skiathos

/// Something that is kept in a variable of the innermost closure.
protocol Keepable: Sendable, CustomStringConvertible {
    func kept<R: ScopeEntity>(_ entity: R.Type, _ stack: Stack) -> any Sendable
}

struct KeepableTest: Keepable {
    let test: any TestNode
    var description: String { "\(test)" }
    func kept<R: ScopeEntity>(_ entity: R.Type, _ stack: Stack) -> any Sendable {
        let condition: Condition<R> = test.native(stack)
        return condition
    }
}

struct KeepableOperand<Value: ScopeValue>: Keepable {
    let operand: any OperandNode<Value>
    var description: String { "\(operand)" }
    func kept<R: ScopeEntity>(_ entity: R.Type, _ stack: Stack) -> any Sendable {
        let expression: ColumnExpression<R, Value> = operand.native(stack)
        return expression
    }
}

struct KeepableRows<Rows: RowsNode>: Keepable {
    let rows: Rows
    var description: String { "\(rows)" }
    func kept<R: ScopeEntity>(_ entity: R.Type, _ stack: Stack) -> any Sendable {
        rows.native(stack)
    }
}

/// A condition that is made after something else was put into a variable.
struct LetNode: TestNode {
    let kept: any Keepable
    let test: any TestNode

    var description: String { "let = \(kept); \(test)" }

    func native<R: ScopeEntity>(_ stack: Stack) -> Condition<R> {
        test.native(stack.keeping(kept.kept(R.self, stack)))
    }

    func holds(_ world: ScopeWorld, _ rows: [Int]) -> Bool { test.holds(world, rows) }
}

/// A condition that was kept in the closure of a row, used there or deeper.
struct KeptTestNode<E: ScopeEntity>: TestNode {
    let row: Int
    let number: Int
    let test: any TestNode

    var description: String { "kept(\(test))" }

    func native<R: ScopeEntity>(_ stack: Stack) -> Condition<R> {
        stack.kept(number, at: row, as: Condition<E>.self).within(R.self)
    }

    func holds(_ world: ScopeWorld, _ rows: [Int]) -> Bool {
        test.holds(world, Array(rows.prefix(row + 1)))
    }
}

/// An operand that was kept in the closure of a row.
struct KeptOperandNode<E: ScopeEntity, Value: ScopeValue>: OperandNode {
    let row: Int
    let number: Int
    let operand: any OperandNode<Value>

    var description: String { "kept(\(operand))" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Value> {
        stack.kept(number, at: row, as: ColumnExpression<E, Value>.self).within(R.self)
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> Value {
        operand.value(world, Array(rows.prefix(row + 1)))
    }
}

/// Related rows that were kept in the closure of a row.
struct KeptRows<Base: RowsNode>: RowsNode {
    let row: Int
    let number: Int
    let base: Base

    var description: String { "kept(\(base))" }

    func native(_ stack: Stack) -> Relation<Base.Owner, Base.Element> {
        stack.kept(number, at: row, as: Relation<Base.Owner, Base.Element>.self)
    }

    func rows(_ world: ScopeWorld, _ rows: [Int]) -> [Int] {
        base.rows(world, Array(rows.prefix(row + 1)))
    }
}
