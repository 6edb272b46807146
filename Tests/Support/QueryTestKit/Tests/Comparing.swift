import Skiathos

/// Two operands compared.
struct ComparisonNode<Value: ScopeValue>: TestNode {
    let left: any OperandNode<Value>
    let comparison: Comparison
    let right: any OperandNode<Value>

    var description: String { "\(left) \(comparison.rawValue) \(right)" }

    func native<R: ScopeEntity>(_ stack: Stack) -> Condition<R> {
        Value.compare(left.native(stack), comparison, right.native(stack))
    }

    func holds(_ world: ScopeWorld, _ rows: [Int]) -> Bool {
        comparison.holds(left.value(world, rows).datum, right.value(world, rows).datum)
    }
}

/// An operand compared with a value.
struct ValueComparisonNode<Value: ScopeValue>: TestNode {
    let left: any OperandNode<Value>
    let comparison: Comparison
    let value: Value

    var description: String { "\(left) \(comparison.rawValue) \(value.datum)" }

    func native<R: ScopeEntity>(_ stack: Stack) -> Condition<R> {
        Value.compare(left.native(stack), comparison, value)
    }

    func holds(_ world: ScopeWorld, _ rows: [Int]) -> Bool {
        // Only equality asks whether there is no value.
        value.datum == .none && comparison != .notEqual
            ? left.value(world, rows).datum == .none
            : comparison.holds(left.value(world, rows).datum, value.datum)
    }
}

/// An operand has one of several values.
struct ListNode<Value: ScopeValue>: TestNode {
    enum Form: CaseIterable { case array, set, contains }

    let operand: any OperandNode<Value>
    let values: [Value]
    let form: Form

    var description: String { "\(operand).in(\(form) \(values.map(\.datum)))" }

    func native<R: ScopeEntity>(_ stack: Stack) -> Condition<R> {
        let operand: ColumnExpression<R, Value> = operand.native(stack)
        return switch form {
        case .array: operand.in(values)
        case .set: operand.in(Set(values))
        case .contains: values.contains(operand)
        }
    }

    func holds(_ world: ScopeWorld, _ rows: [Int]) -> Bool {
        let found = operand.value(world, rows).datum
        return values.contains { $0.datum == found }
    }
}

/// An operand lies in a range.
struct RangeNode<Value: OrderedScopeValue>: TestNode {
    enum Form: CaseIterable { case halfOpen, closed, from, upTo, through, contains }

    let operand: any OperandNode<Value>
    let lower: Value
    let upper: Value
    let form: Form

    var description: String { "\(operand).in(\(form) \(lower.datum), \(upper.datum))" }

    func native<R: ScopeEntity>(_ stack: Stack) -> Condition<R> {
        let operand: ColumnExpression<R, Value> = operand.native(stack)
        return switch form {
        case .halfOpen: operand.in(lower..<upper)
        case .closed: operand.in(lower...upper)
        case .from: operand.in(lower...)
        case .upTo: operand.in(..<upper)
        case .through: operand.in(...upper)
        case .contains: (lower..<upper).contains(operand)
        }
    }

    func holds(_ world: ScopeWorld, _ rows: [Int]) -> Bool {
        form.holds(operand.value(world, rows).datum, lower.datum, upper.datum)
    }
}

extension RangeNode.Form {
    fileprivate func holds(_ datum: Datum, _ lower: Datum, _ upper: Datum) -> Bool {
        let (isFrom, isBelow) = (!datum.precedes(lower), datum.precedes(upper))
        return switch self {
        case .halfOpen, .contains: isFrom && isBelow
        case .closed: isFrom && !upper.precedes(datum)
        case .from: isFrom
        case .upTo: isBelow
        case .through: !upper.precedes(datum)
        }
    }
}

/// An operand that may have no value lies in a range.
struct OptionalRangeNode<Value: OrderedScopeValue>: TestNode {
    let operand: any OperandNode<Value?>
    let lower: Value
    let upper: Value

    var description: String { "\(operand).in(\(lower.datum)...\(upper.datum))" }

    func native<R: ScopeEntity>(_ stack: Stack) -> Condition<R> {
        let operand: ColumnExpression<R, Value?> = operand.native(stack)
        return operand.in(lower...upper)
    }

    func holds(_ world: ScopeWorld, _ rows: [Int]) -> Bool {
        let found = operand.value(world, rows).datum
        return found != .none && !found.precedes(lower.datum) && !upper.datum.precedes(found)
    }
}

/// A column that is true or false as a condition.
struct FlagNode: TestNode {
    let operand: any OperandNode<Bool>

    var description: String { "!\(operand)" }

    func native<R: ScopeEntity>(_ stack: Stack) -> Condition<R> {
        let operand: ColumnExpression<R, Bool> = operand.native(stack)
        return !operand
    }

    func holds(_ world: ScopeWorld, _ rows: [Int]) -> Bool { !operand.value(world, rows) }
}

/// A column that is true or false, and another condition.
struct FlagJoinNode<E: ScopeEntity>: TestNode {
    enum Form: CaseIterable { case both, bothReversed, either, eitherReversed, columns, anyColumn }

    let row: Int
    let field: Field<E, Bool>
    let test: any TestNode
    let form: Form

    var description: String { "(\(name(row)).\(field.name) \(form) \(test))" }

    // The closure's own column: the operators are for columns of the entity itself.
    func native<R: ScopeEntity>(_ stack: Stack) -> Condition<R> {
        let column = field.column(stack.columns(row, of: E.self))
        let test: Condition<E> = test.native(stack)
        let joined: Condition<E> =
            switch form {
            case .both: column && test
            case .bothReversed: test && column
            case .either: column || test
            case .eitherReversed: test || column
            case .columns: column && column || test
            case .anyColumn: (column || column) && test
            }
        return joined.within(R.self)
    }

    func holds(_ world: ScopeWorld, _ rows: [Int]) -> Bool {
        let flag = E.rows(in: world)[rows[row]][keyPath: field.path]
        return switch form {
        case .both, .bothReversed, .anyColumn: flag && test.holds(world, rows)
        case .either, .eitherReversed, .columns: flag || test.holds(world, rows)
        }
    }
}
