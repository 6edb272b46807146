import Skiathos

/// A type that is computed with.
protocol TestedNumber: TestedType where Coding.Value: Numeric {
    /// What the store computes with.
    associatedtype Wide: Sendable
    /// A value as the store computes with it.
    static func wide(_ value: Coding.Value) -> Wide
    /// The result, or `nil` for a division by zero; throws ``Refused`` if there is none.
    static func combine(_ operation: NumberOperation, _ left: Wide, _ right: Wide) throws -> Wide?
    /// A result as the column holds it; throws ``Refused`` if it cannot.
    static func narrow(_ value: Wide) throws -> Coding.Value
    /// What this type alone can compute.
    static func more(_ tree: NumberTree<Self>, _ constant: Coding.Value) -> [NumberTree<Self>]
}

extension TestedNumber {
    static func more(_ tree: NumberTree<Self>, _ constant: Coding.Value) -> [NumberTree<Self>] {
        []
    }
}

enum NumberOperation: Sendable {
    case add, subtract, multiply, divide, remainder
}

/// A number that is computed from a row, and the same in plain Swift.
struct NumberTree<T: TestedNumber>: Sendable {
    let text: String
    let native: ColumnExpression<Cells<T>, T.Coding.Value>
    let model: @Sendable (ChangedRow<T>) throws -> T.Wide

    init(
        _ text: String, _ native: ColumnExpression<Cells<T>, T.Coding.Value>,
        _ model: @escaping @Sendable (ChangedRow<T>) throws -> T.Wide
    ) {
        self.text = text
        self.native = native
        self.model = model
    }

    /// Two numbers combined, where there is a result.
    static func combining(
        _ sign: String, _ operation: NumberOperation, _ left: NumberTree, _ right: NumberTree,
        _ native: ColumnExpression<Cells<T>, T.Coding.Value>
    ) -> NumberTree {
        NumberTree("(\(left.text) \(sign) \(right.text))", native) { row in
            let result = try T.combine(operation, try left.model(row), try right.model(row))
            // Only by an operand can be divided by zero, and that is no `combining`.
            guard let result else { throw Refused() }
            return result
        }
    }
}
