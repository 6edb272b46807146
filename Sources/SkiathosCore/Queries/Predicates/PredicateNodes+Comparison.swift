import SkiathosPlatformFoundation
import SkiathosStore

extension PredicateExpressions.Negation: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        .condition(.not(try scope.condition(of: wrapped)))
    }
}

extension PredicateExpressions.Equal: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        .condition(
            try scope.equality(
                try scope.term(of: lhs), .equal, try scope.term(of: rhs), LHS.Output.self))
    }
}

extension PredicateExpressions.NotEqual: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        .condition(
            try scope.equality(
                try scope.term(of: lhs), .notEqual, try scope.term(of: rhs), LHS.Output.self))
    }
}

extension PredicateExpressions.Comparison: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        let comparison: StorePredicate.Comparison
        switch op {
        case .lessThan: comparison = .less
        case .lessThanOrEqual: comparison = .lessOrEqual
        case .greaterThan: comparison = .greater
        case .greaterThanOrEqual: comparison = .greaterOrEqual
        @unknown default:
            throw scope.unsupported("compares in a way that is new", "Use <, <=, > or >=.")
        }
        return .condition(
            try scope.comparison(
                try scope.term(of: lhs), comparison, try scope.term(of: rhs), LHS.Output.self))
    }
}

extension PredicateScope {
    /// Whether two terms are the same, or are not.
    func equality(
        _ left: PredicateTerm, _ comparison: StorePredicate.Comparison, _ right: PredicateTerm,
        _ type: Any.Type
    ) throws -> StorePredicate {
        let isSame: StorePredicate
        switch (left, right) {
        case (.constant, .condition), (.constant, .optionalCondition):
            return try equality(right, comparison, left, type)
        case (.condition(let condition), .constant(let value)):
            guard let value = unwrapped(value) as? Bool else {
                isSame = .constant(false)
                break
            }
            isSame = value ? condition : .not(condition)
        case (.optionalCondition(let condition, let present), .constant(let value)):
            guard let value = unwrapped(value) as? Bool else {
                isSame = .not(present)
                break
            }
            isSame = .all([present, value ? condition : .not(condition)])
        default: return try self.comparison(left, comparison, right, type)
        }
        return comparison == .equal ? isSame : .not(isSame)
    }

    /// How two terms compare.
    func comparison(
        _ left: PredicateTerm, _ comparison: StorePredicate.Comparison, _ right: PredicateTerm,
        _ type: Any.Type
    ) throws -> StorePredicate {
        if case .constant(let left) = left, case .constant(let right) = right {
            return .constant(try holds(left, comparison, right, type))
        }
        // Constants stand on the right, where a backend looks for them.
        if case .constant = left {
            return try self.comparison(right, comparison.reversed, left, type)
        }
        let coding = try coding(of: left, right, as: type)
        guard coding.isOrdered || !comparison.isOfOrder else {
            throw unsupported(
                "goes by the order of values of the type \(coding.type), which are kept as JSON",
                "Keep what they are ordered by in a column of its own.")
        }
        return .comparing(
            try left.expression(coding, in: self), comparison,
            try right.expression(coding, in: self)
        )
    }

    /// Compares values as a store would.
    private func holds(
        _ left: Any, _ comparison: StorePredicate.Comparison, _ right: Any, _ type: Any.Type
    ) throws -> Bool {
        guard let first = unwrapped(left), let second = unwrapped(right) else {
            let isSame = unwrapped(left) == nil && unwrapped(right) == nil
            return comparison == .equal && isSame || comparison == .notEqual && !isSame
        }
        if comparison == .equal || comparison == .notEqual,
            let coding = AnyValueCoding(of: type),
            let first = try coding.encode(first), let second = try coding.encode(second)
        {
            return (first == second) == (comparison == .equal)
        }
        if let first = first as? String, let second = second as? String {
            return StoredText(first).compare(comparison, StoredText(second))
        }
        guard let first = first as? any Comparable,
            let outcome = first.compare(comparison, with: second)
        else {
            throw unsupported(
                "compares two captured values of the type \(type)", "Compare them beforehand.")
        }
        return outcome
    }
}

extension Comparable {
    fileprivate func compare(_ comparison: StorePredicate.Comparison, with other: Any) -> Bool? {
        (other as? Self).map { compare(comparison, $0) }
    }

    fileprivate func compare(_ comparison: StorePredicate.Comparison, _ other: Self) -> Bool {
        switch comparison {
        case .equal: self == other
        case .notEqual: self != other
        case .less: self < other
        case .lessOrEqual: self <= other
        case .greater: self > other
        case .greaterOrEqual: self >= other
        }
    }
}

extension StorePredicate.Comparison {
    /// The comparison of the second with the first.
    fileprivate var reversed: Self {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}
