import SkiathosPlatformFoundation
import SkiathosStore

/// A part of a predicate that can be translated for a store.
protocol PredicateNode {
    /// The translation of the node.
    func term(in scope: PredicateScope) throws -> PredicateTerm
}

/// The state of translating a predicate.
struct PredicateScope {
    /// The Swift type of the entity, for messages.
    let entity: String
    /// Finds the column that a key path leads to.
    private let column: (AnyKeyPath) throws -> PredicateTerm
    /// The terms of the variables of the predicate and of its closures.
    private var variables: [PredicateExpressions.VariableID: PredicateTerm]
    /// How many nodes stand around the one that is translated.
    private var depth: Int32 = 0
    /// How many bytes the values of these nodes take, copies of which are on the stack.
    private var bytes = 0
    private static let mostBytes = 65_536

    /// Begins with the rows of an entity as the predicate's variable.
    init<E: Entity>(_ type: E.Type, _ variable: PredicateExpressions.Variable<E>) {
        entity = E.schema.typeName
        column = { try E.storedColumn(at: $0) }
        variables = [variable.key: .row]
    }

    /// The column of a row that a key path leads to.
    func column(at keyPath: AnyKeyPath) throws -> PredicateTerm { try column(keyPath) }

    /// The term of a part of the predicate.
    func term(of node: some PredicateExpression) throws -> PredicateTerm {
        guard let node = node as? any PredicateNode else { throw unsupported(type(of: node)) }
        var inner = self
        inner.depth += 1
        inner.bytes += MemoryLayout.size(ofValue: node)
        guard inner.depth <= Extent.deepest, inner.bytes <= Self.mostBytes else { throw tooDeep }
        return try node.term(in: inner)
    }

    /// A part of the predicate as a condition.
    func condition(of node: some PredicateExpression) throws -> StorePredicate {
        try term(of: node).condition(in: self)
    }

    /// The term of a variable.
    func term(of variable: PredicateExpressions.VariableID) throws -> PredicateTerm {
        guard let term = variables[variable] else {
            throw unsupported(
                "uses a variable of another predicate", "Use the closure's own variable.")
        }
        return term
    }

    /// The same with one more variable.
    func binding(
        _ variable: PredicateExpressions.VariableID, to term: PredicateTerm
    ) -> PredicateScope {
        var copy = self
        copy.variables[variable] = term
        return copy
    }
}

extension Entity {
    /// The stored column that a key path of a predicate or a sort key leads to.
    static func storedColumn(at keyPath: AnyKeyPath) throws -> PredicateTerm {
        let own = keyPath as? PartialKeyPath<Self>
        guard let position = own.flatMap({ column(at: $0) }) else {
            throw DataAccessError(
                .unsupportedPredicate,
                "\(name(of: keyPath)) is no stored column of \(schema.typeName), so that the store cannot compute it. Use stored properties, or filter the fetched values."
            )
        }
        for child in Mirror(reflecting: columns).children {
            if let column = child.value as? any ErasedColumn, column.position == position {
                return .expression(.column(position), column.erasedCoding)
            }
        }
        throw DataAccessError(
            .unsupportedPredicate,
            "\(name(of: keyPath)) is not among the stored properties of \(schema.typeName).Columns, where its coding is looked up. Add it there as a Column."
        )
    }
}

/// A key path in words.
///
/// On Linux, Swift knows the names of stored properties alone.
func name(of keyPath: AnyKeyPath) -> String {
    let text = "\(keyPath)"
    guard text.contains("<computed") else { return text }
    let (root, value) = (type(of: keyPath).rootType, type(of: keyPath).valueType)
    return "A computed property of \(root) that is a \(value)"
}

/// A column whose types are not known.
private protocol ErasedColumn {
    var position: Int { get }
    var erasedCoding: AnyValueCoding { get }
}

extension Column: ErasedColumn {
    fileprivate var erasedCoding: AnyValueCoding { AnyValueCoding(coding) }
}
