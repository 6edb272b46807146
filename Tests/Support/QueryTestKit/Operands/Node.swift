package import Skiathos

/// A value that a query computes, in the form of columns and in plain Swift.
package protocol OperandNode<Value>: Sendable, CustomStringConvertible {
    associatedtype Value: ScopeValue
    /// As it is written where the innermost closure is about an entity.
    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Value>
    /// As it is computed of rows, one for each closure.
    func value(_ world: ScopeWorld, _ rows: [Int]) -> Value
}

/// A condition of a query, in the form of columns and in plain Swift.
package protocol TestNode: Sendable, CustomStringConvertible {
    /// As it is written where the innermost closure is about an entity.
    func native<R: ScopeEntity>(_ stack: Stack) -> Condition<R>
    /// Whether rows, one for each closure, meet it.
    func holds(_ world: ScopeWorld, _ rows: [Int]) -> Bool
}

extension TestNode {
    /// As a closure about rows of another entity.
    func closure<E: ScopeEntity>(
        _ entity: E.Type, _ stack: Stack
    ) -> @Sendable (E.Columns) -> Condition<E> {
        { native(stack.entering(E.self, $0)) }
    }
}

extension OperandNode {
    /// As a closure about rows of another entity.
    func closure<E: ScopeEntity>(
        _ entity: E.Type, _ stack: Stack
    ) -> @Sendable (E.Columns) -> ColumnExpression<E, Value> {
        { native(stack.entering(E.self, $0)) }
    }
}

/// How a row is called in texts: by the number of its closure.
func name(_ row: Int) -> String { "r\(row)" }
