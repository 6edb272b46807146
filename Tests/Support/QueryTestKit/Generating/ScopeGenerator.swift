import Foundation

/// Makes random operands and conditions of several closures.
package struct ScopeGenerator: Sendable {
    package var values: RandomValues
    /// How many closures there are at most, one inside the other.
    var mostScopes = 3
    /// How many more parts the query may have, so that few take long.
    var budget = 0

    package init(seed: UInt64) { values = RandomValues(seed: seed) }

    mutating func below(_ limit: Int) -> Int { values.below(limit) }
    mutating func happens(_ percent: Int) -> Bool { values.happens(percent) }
    mutating func pick<Element>(_ elements: [Element]) -> Element { values.pick(elements) }

    /// Begins another query.
    mutating func begin() {
        mostScopes = pick([2, 2, 2, 3, 3, 3, 3, 4, 5])
        budget = 24
    }

    /// An entity for a query of its own.
    mutating func entity() -> any ScopeEntity.Type {
        pick([Person.self, Person.self, Team.self, Visit.self] as [any ScopeEntity.Type])
    }

    /// Whether a part may have parts of its own.
    mutating func descends(_ depth: Int) -> Bool {
        budget -= 1
        return depth > 0 && budget > 0
    }

    func canEnter(_ scope: Scope) -> Bool { scope.count < mostScopes && budget > 0 }

    /// The innermost row in some cases, or any one.
    mutating func row(of rows: [Int], _ scope: Scope) -> Int {
        rows.contains(scope.innermost) && happens(30) ? scope.innermost : pick(rows)
    }

    /// A column of any row.
    mutating func column<V: ScopeValue>(
        _ type: V.Type, _ scope: Scope
    ) -> (any OperandNode<V>)? {
        if happens(25), let kept = kept(type, scope) { return kept }
        func make<E: ScopeEntity>(_ row: Int, _ entity: E.Type) -> (any OperandNode<V>)? {
            let fields = scope.fields(row, entity, type)
            guard !fields.isEmpty else { return nil }
            let isStatic = row == 0 && scope.hasStaticColumns && happens(8)
            return ColumnNode(row: row, field: pick(fields), isStatic: isStatic)
        }
        for _ in 0..<3 {
            let row = row(of: scope.usable, scope)
            if let node = make(row, scope.frames[row].entity) { return node }
        }
        for row in scope.usable.reversed() {
            if let node = make(row, scope.frames[row].entity) { return node }
        }
        return nil
    }

    /// An operand that a variable holds.
    private mutating func kept<V: ScopeValue>(
        _ type: V.Type, _ scope: Scope
    ) -> (any OperandNode<V>)? {
        func make<E: ScopeEntity>(
            _ row: Int, _ number: Int, _ entity: E.Type, _ operand: any OperandNode<V>
        ) -> any OperandNode<V> {
            KeptOperandNode<E, V>(row: row, number: number, operand: operand)
        }
        for row in scope.usable {
            for (number, kept) in scope.frames[row].kept.enumerated() {
                guard let kept = kept as? KeepableOperand<V>, happens(60) else { continue }
                return make(row, number, scope.frames[row].entity, kept.operand)
            }
        }
        return nil
    }

    /// An operand of any form; the type must be one of which there are columns.
    mutating func operand<V: ScopeValue>(
        _ type: V.Type, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<V> { V.operand(&self, scope, depth) }

    /// A column, which there must be.
    mutating func plain<V: ScopeValue>(_ type: V.Type, _ scope: Scope) -> any OperandNode<V> {
        guard let column = column(type, scope) else {
            preconditionFailure("No row has a column of \(type).")
        }
        return column
    }

    /// One operand or another one.
    mutating func choice<V: WrappedScopeValue>(
        _ type: V.Type, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<V> {
        let (test, second) = (test(scope, depth - 1), operand(type, scope, depth - 1))
        guard happens(60) else {
            return ValueChoiceNode(test: test, first: V.random(&values), second: second)
        }
        return ChoiceNode(test: test, first: operand(type, scope, depth - 1), second: second)
    }

    /// An operand that may have no value, or what stands for it.
    mutating func coalescing<V: WrappedScopeValue>(
        _ type: V.Type, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<V> {
        let first = operand(V?.self, scope, depth - 1)
        guard happens(60) else { return DefaultNode(operand: first, value: V.random(&values)) }
        return CoalescingNode(first: first, second: operand(type, scope, depth - 1))
    }
}
