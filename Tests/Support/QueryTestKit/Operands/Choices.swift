import Skiathos

/// One operand where a condition holds, another one where it does not.
struct ChoiceNode<Value: ScopeValue>: OperandNode {
    let test: any TestNode
    let first: any OperandNode<Value>
    let second: any OperandNode<Value>

    var description: String { "(\(test)).then(\(first), else: \(second))" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Value> {
        let test: Condition<R> = test.native(stack)
        let first: ColumnExpression<R, Value> = first.native(stack)
        let second: ColumnExpression<R, Value> = second.native(stack)
        return test.then(first, else: second)
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> Value {
        test.holds(world, rows) ? first.value(world, rows) : second.value(world, rows)
    }
}

/// A value where a condition holds, an operand where it does not.
struct ValueChoiceNode<Value: WrappedScopeValue>: OperandNode {
    let test: any TestNode
    let first: Value
    let second: any OperandNode<Value>

    var description: String { "(\(test)).then(\(first.datum), else: \(second))" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Value> {
        let test: Condition<R> = test.native(stack)
        let second: ColumnExpression<R, Value> = second.native(stack)
        return test.then(first, else: second)
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> Value {
        test.holds(world, rows) ? first : second.value(world, rows)
    }
}

/// An operand, or another one where it has no value.
struct CoalescingNode<Value: WrappedScopeValue>: OperandNode {
    let first: any OperandNode<Value?>
    let second: any OperandNode<Value>

    var description: String { "(\(first) ?? \(second))" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Value> {
        let first: ColumnExpression<R, Value?> = first.native(stack)
        let second: ColumnExpression<R, Value> = second.native(stack)
        return first ?? second
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> Value {
        first.value(world, rows) ?? second.value(world, rows)
    }
}

/// An operand, or another one where it has no value, which may have none either.
struct OptionalCoalescingNode<Value: WrappedScopeValue>: OperandNode {
    let first: any OperandNode<Value?>
    let second: any OperandNode<Value?>

    var description: String { "(\(first) ?? \(second))" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Value?> {
        let first: ColumnExpression<R, Value?> = first.native(stack)
        let second: ColumnExpression<R, Value?> = second.native(stack)
        return Self.join(first, second)
    }

    // Between two operands of one Swift type the compiler prefers the operator of Swift's optionals,
    // which drops the second one.
    private static func join<First: QueryOperand, Second: QueryOperand>(
        _ first: First, _ second: Second
    ) -> ColumnExpression<First.Root, Value?>
    where First.Root == Second.Root, First.Value == Value?, Second.Value == Value? {
        first ?? second
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> Value? {
        first.value(world, rows) ?? second.value(world, rows)
    }
}

/// An operand, or a value where it has none.
struct DefaultNode<Value: WrappedScopeValue>: OperandNode {
    let operand: any OperandNode<Value?>
    let value: Value

    var description: String { "(\(operand) ?? \(value.datum))" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Value> {
        let operand: ColumnExpression<R, Value?> = operand.native(stack)
        return operand ?? value
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> Value { operand.value(world, rows) ?? value }
}

/// An operand as one that may have no value.
struct OptionalNode<Value: WrappedScopeValue>: OperandNode {
    let operand: any OperandNode<Value>

    var description: String { "\(operand).optional" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Value?> {
        let operand: ColumnExpression<R, Value> = operand.native(stack)
        return operand.optional
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> Value? { operand.value(world, rows) }
}
