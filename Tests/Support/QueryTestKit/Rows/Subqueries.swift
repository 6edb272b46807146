import Skiathos

/// The number of the rows of an entity that meet a condition, as a value.
struct QueryCountNode<T: ScopeEntity>: OperandNode {
    let test: any TestNode

    var description: String { "\(T.self).where{\(test)}.value{id.count}" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Int> {
        let test = test.closure(T.self, stack)
        return T.where { test($0) }.value(for: R.self) { columns in
            T.key.column(columns).count
        }
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> Int {
        T.rows(in: world).indices.count { test.holds(world, rows + [$0]) }
    }
}

/// The sum over such rows.
struct QuerySumNode<T: ScopeEntity, Value: ScopeValue & SummedColumnValue>: OperandNode
where Value.Sum == Value {
    let test: any TestNode
    let operand: any OperandNode<Value>

    var description: String { "\(T.self).where{\(test)}.value{\(operand).sum}" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Value> {
        let (test, operand) = (test.closure(T.self, stack), operand.closure(T.self, stack))
        return T.where { test($0) }.value(for: R.self) { operand($0).sum }
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> Value {
        T.rows(in: world).indices.filter { test.holds(world, rows + [$0]) }
            .reduce(.zero) { $0 + operand.value(world, rows + [$1]) }
    }
}

/// The smallest or the largest value of such rows.
struct QueryExtremeNode<T: ScopeEntity, V: OrderedScopeValue>: OperandNode {
    let test: any TestNode
    let isMaximum: Bool
    let operand: any OperandNode<V>

    var description: String {
        "\(T.self).where{\(test)}.value{\(operand).\(isMaximum ? "max" : "min")}"
    }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, V?> {
        let (test, operand) = (test.closure(T.self, stack), operand.closure(T.self, stack))
        let found: ColumnExpression<R, V> = T.where { test($0) }.value(for: R.self) {
            isMaximum ? operand($0).max : operand($0).min
        }
        return found.optional
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> V? {
        let found = T.rows(in: world).indices.filter { test.holds(world, rows + [$0]) }
        return extreme(found.map { operand.value(world, rows + [$0]) }, isMaximum)
    }
}

/// The mean over such rows.
struct QueryMeanNode<T: ScopeEntity>: OperandNode {
    let test: any TestNode
    let operand: any OperandNode<Int>

    var description: String { "\(T.self).where{\(test)}.value{\(operand).average}" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Double?> {
        let (test, operand) = (test.closure(T.self, stack), operand.closure(T.self, stack))
        let found: ColumnExpression<R, Double> = T.where { test($0) }.value(for: R.self) {
            operand($0).average
        }
        return found.optional
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> Double? {
        let found = T.rows(in: world).indices.filter { test.holds(world, rows + [$0]) }
        return mean(found.map { operand.value(world, rows + [$0]) })
    }
}

/// An operand is one of what is computed from the rows of an entity that meet a condition.
struct MemberNode<T: ScopeEntity, Value: ScopeValue>: TestNode {
    let operand: any OperandNode<Value>
    let test: any TestNode
    let member: any OperandNode<Value>
    /// The first rows alone, by the member and their IDs.
    let limit: Int?

    var description: String {
        let limited = limit.map { ".order{\(member)}.limit(\($0))" } ?? ""
        return "\(operand).in(\(T.self).where{\(test)}\(limited).select{\(member)})"
    }

    func native<R: ScopeEntity>(_ stack: Stack) -> Condition<R> {
        let (test, member) = (test.closure(T.self, stack), member.closure(T.self, stack))
        var query = T.where { test($0) }
        if let limit { query = query.order { member($0) }.limit(limit) }
        return Marks.isAmong(operand.native(stack), query.select { member($0) })
    }

    func holds(_ world: ScopeWorld, _ rows: [Int]) -> Bool {
        let found = operand.value(world, rows).datum
        var members = T.rows(in: world).indices.filter { test.holds(world, rows + [$0]) }
            .map { member.value(world, rows + [$0]).datum }
        if let limit {
            members.sort { $0.precedes($1) }
            members = Array(members.prefix(limit))
        }
        return members.contains(found)
    }
}
