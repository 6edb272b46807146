public import SkiathosStore

/// The row that a column belongs to: that of the outermost closure of a query, or that of a closure
/// inside of it.
///
/// ```swift
/// Employee.where { e in e.manager.matches { m in m.salary < e.salary } }
/// // e.salary belongs to the outermost row, m.salary to the one that "manager" leads to
/// ```
public struct QueryRow: Sendable, Hashable {
    /// The number of the closure that got the column; 0 for the outermost one.
    @usableFromInline let closure: Int

    @inlinable
    init(closure: Int) { self.closure = closure }

    /// The row of the outermost closure.
    @inlinable static var outermost: QueryRow { QueryRow(closure: 0) }

    /// An expression about the row, for any place inside of it.
    @usableFromInline
    func of(_ entity: Any.Type, _ expression: StoreExpression) -> StoreExpression {
        let name = RowName(closure, entity)
        // References to the outermost row that stand inside of it have a place now.
        guard closure > 0 else { return RowResolution(name).resolve(expression) }
        return .outer(.named(name), expression)
    }

    /// A condition on the row, for any place inside of it.
    func of(_ entity: Any.Type, _ predicate: StorePredicate) -> StorePredicate {
        let name = RowName(closure, entity)
        guard closure > 0 else { return RowResolution(name).resolve(predicate) }
        return .outer(.named(name), predicate)
    }
}
