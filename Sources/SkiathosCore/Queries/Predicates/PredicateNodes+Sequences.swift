import SkiathosPlatformFoundation
import SkiathosStore

extension PredicateExpressions.CollectionContainsCollection: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        try scope.match(base, .contains, other, "asks a collection for another one (contains)")
    }
}

extension PredicateExpressions.SequenceStartsWith: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        try scope.match(base, .prefix, prefix, "asks a sequence for its beginning (starts(with:))")
    }
}

extension PredicateExpressions.SequenceContains: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        let element = try scope.term(of: element)
        switch try scope.term(of: sequence) {
        case .constant(let range as any ColumnRange):
            return try scope.contains(.constant(range), element, RHS.Output.self)
        case .range(let lower, let upper, let includesUpper):
            let range = PredicateTerm.range(lower, upper, includesUpper: includesUpper)
            return try scope.contains(range, element, RHS.Output.self)
        case .constant(let values as LHS.Output):
            let coding = try scope.coding(of: element, element, as: RHS.Output.self)
            let values = try values.map { value -> StoreValue in
                guard unwrapped(value) != nil else { return .null }
                guard let encoded = try coding.encode(value) else {
                    throw scope.unsupported(
                        "looks for a \(coding.type) among values of another type",
                        "Look among values of the column's type.")
                }
                return encoded
            }
            return .condition(.contained(try element.expression(coding, in: scope), values))
        case .expression(_, let coding) where coding.type == String.self:
            throw scope.unsupported(
                "looks for a Character in a text", "Look for a text: contains(\"x\" as String).")
        case .row, .constant, .expression, .condition, .optionalCondition:
            throw scope.unsupported(
                "looks into a collection that a column holds",
                "Keep the elements as rows of another entity, or filter the fetched values.")
        }
    }
}

extension PredicateExpressions.SequenceContainsWhere: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        .condition(.any(try scope.conditions(sequence, variable.key, test)))
    }
}

extension PredicateExpressions.SequenceAllSatisfy: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        .condition(.all(try scope.conditions(sequence, variable.key, test)))
    }
}

extension PredicateScope {
    fileprivate func match(
        _ text: some PredicateExpression, _ match: StorePredicate.TextMatch,
        _ pattern: some PredicateExpression, _ otherwise: String
    ) throws -> PredicateTerm {
        let text = try term(of: text)
        let pattern = try term(of: pattern)
        guard isText(text), isText(pattern) else {
            throw unsupported(
                "\(otherwise) although both are not texts",
                "Only the texts of columns can be searched, for texts.")
        }
        return .condition(
            .matching(
                try text.expression(.text, in: self), match, try pattern.expression(.text, in: self)
            ))
    }

    private func isText(_ term: PredicateTerm) -> Bool {
        switch term {
        case .constant(let value): value is String
        case .expression(_, let coding): coding.type == String.self
        case .row, .condition, .optionalCondition, .range: false
        }
    }

    /// A condition for each element of a captured sequence.
    fileprivate func conditions<Elements: PredicateExpression>(
        _ sequence: Elements, _ variable: PredicateExpressions.VariableID,
        _ test: some PredicateExpression
    ) throws -> [StorePredicate] where Elements.Output: Sequence {
        guard case .constant(let elements as Elements.Output) = try term(of: sequence) else {
            throw unsupported(
                "looks into a collection that a column holds",
                "Keep the elements as rows of another entity, or filter the fetched values.")
        }
        return try elements.map {
            try binding(variable, to: .constant($0)).condition(of: test)
        }
    }
}
