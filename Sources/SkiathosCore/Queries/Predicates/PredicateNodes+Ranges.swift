import SkiathosPlatformFoundation
import SkiathosStore

extension PredicateExpressions.Range: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        .range(try scope.term(of: lower), try scope.term(of: upper), includesUpper: false)
    }
}

extension PredicateExpressions.ClosedRange: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        .range(try scope.term(of: lower), try scope.term(of: upper), includesUpper: true)
    }
}

extension PredicateExpressions.RangeExpressionContains: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        try scope.contains(
            try scope.term(of: range), try scope.term(of: element), Element.Output.self)
    }
}

extension PredicateScope {
    /// Whether a value lies in a range.
    func contains(
        _ range: PredicateTerm, _ element: PredicateTerm, _ type: Any.Type
    ) throws -> PredicateTerm {
        switch range {
        case .range(let lower, let upper, let includesUpper):
            return .condition(
                .all([
                    try comparison(element, .greaterOrEqual, lower, type),
                    try comparison(element, includesUpper ? .lessOrEqual : .less, upper, type),
                ]))
        case .constant(let range as any ColumnRange):
            return .condition(.all(try bounds(range, element, type)))
        case .row, .constant, .expression, .condition, .optionalCondition:
            throw unsupported(
                "uses a range that is none of Swift's own",
                "Use lower..<upper, lower...upper, or one of them without an end.")
        }
    }

    private func bounds(
        _ range: some ColumnRange, _ element: PredicateTerm, _ type: Any.Type
    ) throws -> [StorePredicate] {
        let lower = try range.smallest.map {
            try comparison(element, .greaterOrEqual, .constant($0), type)
        }
        let upper = try range.largest.map {
            try comparison(element, $0.isIncluded ? .lessOrEqual : .less, .constant($0.bound), type)
        }
        return [lower, upper].compactMap { $0 }
    }
}
