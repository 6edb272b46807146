import Skiathos

/// The number of the rows of a query that was made outside of all closures, all of them or those that
/// meet another condition.
struct UnitNode<T: ScopeEntity>: OperandNode {
    private let unit: any TestNode
    private let query: Query<T>
    private let test: (any TestNode)?

    /// - Parameters:
    ///   - unit: The condition of the query, whose row is the first one there is.
    ///   - test: The other condition, whose row is that of the query, behind those around it.
    init(_ unit: any TestNode, _ test: (any TestNode)?) {
        self.unit = unit
        self.test = test
        query = T.where(unit.closure(T.self, Stack()))
    }

    var description: String {
        "unit(\(T.self).where{\(unit)})\(test.map { ".where{\($0)}" } ?? "").value{id.count}"
    }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Int> {
        var query = query
        if let test { query = query.where(test.closure(T.self, stack)) }
        return query.value(for: R.self) { T.key.column($0).count }
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> Int {
        T.rows(in: world).indices.count {
            unit.holds(world, [$0]) && test?.holds(world, rows + [$0]) ?? true
        }
    }
}

/// An operand is one of what a selection finds that was made outside of all closures.
struct UnitMemberNode<T: ScopeEntity, Value: ScopeValue>: TestNode {
    private let operand: any OperandNode<Value>
    private let unit: any TestNode
    private let member: any OperandNode<Value>
    private let selection: Selection<T, Value>

    /// - Parameters:
    ///   - operand: The operand.
    ///   - unit: The condition of the selection, whose row is the first one there is.
    ///   - member: What is selected of that row.
    init(
        _ operand: any OperandNode<Value>, _ unit: any TestNode, _ member: any OperandNode<Value>
    ) {
        self.operand = operand
        self.unit = unit
        self.member = member
        let column = member.closure(T.self, Stack())
        selection = T.where(unit.closure(T.self, Stack())).select { column($0) }
    }

    var description: String { "\(operand).in(unit(\(T.self).where{\(unit)}.select{\(member)}))" }

    func native<R: ScopeEntity>(_ stack: Stack) -> Condition<R> {
        Marks.isAmong(operand.native(stack), selection)
    }

    func holds(_ world: ScopeWorld, _ rows: [Int]) -> Bool {
        let found = operand.value(world, rows).datum
        return T.rows(in: world).indices.contains {
            unit.holds(world, [$0]) && member.value(world, [$0]).datum == found
        }
    }
}
