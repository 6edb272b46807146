import SkiathosPlatformFoundation
import SkiathosStore

extension PredicateExpressions.Variable: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm { try scope.term(of: key) }
}

extension PredicateExpressions.Value: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm { .constant(value) }
}

extension PredicateExpressions.NilLiteral: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        .constant(Wrapped?.none as Any)
    }
}

extension PredicateExpressions.KeyPath: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        switch try scope.term(of: root) {
        case .row: return try scope.column(at: keyPath)
        case .constant(let value as Root.Output): return .constant(value[keyPath: keyPath])
        case .expression(let text, let coding) where coding.type == String.self:
            switch kind {
            case .collectionCount: return .expression(.call(.characterCount, [text]), .integer)
            case .collectionIsEmpty:
                return .condition(.comparing(text, .equal, .value(.text(""))))
            default: throw computed(scope)
            }
        case .constant, .expression, .condition, .optionalCondition, .range: throw computed(scope)
        }
    }

    private func computed(_ scope: PredicateScope) -> DataAccessError {
        scope.unsupported(
            "asks a value of the row for a property: \(name(of: keyPath))",
            "Compare the value itself; of a text, count and isEmpty can be asked for.")
    }
}

extension PredicateExpressions.Conditional: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        let test = try scope.condition(of: test)
        let first = try scope.term(of: trueBranch)
        let second = try scope.term(of: falseBranch)
        guard Output.self != Bool.self else {
            let (first, second) = (
                try first.condition(in: scope), try second.condition(in: scope)
            )
            return .condition(.any([.all([test, first]), .all([.not(test), second])]))
        }
        let coding = try scope.coding(of: first, second, as: Output.self)
        return .expression(
            .choice(
                test, try first.expression(coding, in: scope),
                try second.expression(coding, in: scope), coding.storage), coding)
    }
}

extension PredicateScope {
    /// How the values of two terms are stored.
    func coding(
        of first: PredicateTerm, _ second: PredicateTerm, as type: Any.Type
    ) throws -> AnyValueCoding {
        if let coding = first.coding ?? second.coding ?? AnyValueCoding(of: type) { return coding }
        throw unsupported("compares values of the type \(type)", "Compare them with a column.")
    }
}
