import SkiathosPlatformFoundation
import SkiathosStore

/// A node whose two sides are conditions that are joined.
private protocol JoiningNode: PredicateNode {
    /// Whether both have to be true.
    static var isAll: Bool { get }
    /// The condition on the left.
    var left: any PredicateExpression { get }
    /// The condition on the right.
    var right: any PredicateExpression { get }
}

extension PredicateExpressions.Conjunction: PredicateNode, JoiningNode {
    fileprivate static var isAll: Bool { true }
    fileprivate var left: any PredicateExpression { lhs }
    fileprivate var right: any PredicateExpression { rhs }
    func term(in scope: PredicateScope) throws -> PredicateTerm { try scope.joined(self) }
}

extension PredicateExpressions.Disjunction: PredicateNode, JoiningNode {
    fileprivate static var isAll: Bool { false }
    fileprivate var left: any PredicateExpression { lhs }
    fileprivate var right: any PredicateExpression { rhs }
    func term(in scope: PredicateScope) throws -> PredicateTerm { try scope.joined(self) }
}

extension PredicateScope {
    /// The work that is left for a tree of joined conditions.
    private enum Step {
        case translate(any PredicateExpression)
        case join(isAll: Bool)
    }

    /// The conditions of a tree, joined as they stand in it.
    ///
    /// Without recursion: the value of a node holds all nodes below it, and each level would have copies of
    /// it on the stack.
    fileprivate func joined(_ node: some PredicateExpression) throws -> PredicateTerm {
        var steps: [Step] = [.translate(node)]
        var made: [BuiltCondition] = []
        while let step = steps.popLast() {
            switch step {
            case .translate(let node as any JoiningNode):
                steps.append(.join(isAll: type(of: node).isAll))
                steps.append(.translate(node.right))
                steps.append(.translate(node.left))
            case .translate(let node):
                made.append(BuiltCondition(.success(try condition(of: node))))
            case .join(let isAll):
                let right = made.removeLast()
                made.append(.joining(made.removeLast(), right, isAll: isAll))
            }
        }
        return .condition(try made[0].predicate.get())
    }
}
