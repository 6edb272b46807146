package import Skiathos

/// The columns that the closures around a place have got, the outermost first.
///
/// A part of a query names a row by its number in the stack.
package struct Stack: Sendable {
    private var frames: [any Frame] = []

    package init() {}

    /// How many closures there are.
    var count: Int { frames.count }

    /// Enters a closure about rows of an entity.
    package func entering<E: ScopeEntity>(_ entity: E.Type, _ columns: E.Columns) -> Stack {
        var stack = self
        stack.frames.append(FrameOf<E>(columns: columns))
        return stack
    }

    /// Keeps something in a variable of the innermost closure.
    func keeping(_ value: any Sendable) -> Stack {
        var stack = self
        stack.frames[frames.count - 1].kept.append(value)
        return stack
    }

    /// The columns of a row.
    func columns<E: ScopeEntity>(_ row: Int, of entity: E.Type) -> E.Columns {
        guard let frame = frames[row] as? FrameOf<E> else {
            preconditionFailure("Row \(row) is none of \(E.self).")
        }
        return frame.columns
    }

    /// What a variable of a row's closure holds.
    func kept<Value>(_ number: Int, at row: Int, as type: Value.Type) -> Value {
        guard let value = frames[row].kept[number] as? Value else {
            preconditionFailure("Variable \(number) of row \(row) is no \(Value.self).")
        }
        return value
    }
}

private protocol Frame: Sendable {
    var kept: [any Sendable] { get set }
}

private struct FrameOf<E: ScopeEntity>: Frame {
    let columns: E.Columns
    var kept: [any Sendable] = []
}

extension ColumnExpression {
    /// The operand in a closure about an entity: as it is if it is about the same one.
    func within<R: Entity>(_ entity: R.Type) -> ColumnExpression<R, Value> {
        self as? ColumnExpression<R, Value> ?? Marks.outer(self)
    }
}

extension Condition {
    /// The condition in a closure about an entity: as it is if it is about the same one.
    func within<R: Entity>(_ entity: R.Type) -> Condition<R> {
        self as? Condition<R> ?? Marks.outer(self)
    }
}
