import SkiathosStore

/// The translation of a part of a predicate.
indirect enum PredicateTerm {
    /// The row itself.
    case row
    /// A value that is the same for every row.
    case constant(Any)
    /// A value that is computed from the row.
    case expression(StoreExpression, AnyValueCoding)
    /// A Boolean value, as a condition.
    case condition(StorePredicate)
    /// An optional Boolean value: a condition where another one holds, and `nil` elsewhere.
    case optionalCondition(StorePredicate, present: StorePredicate)
    /// The values between two others.
    case range(PredicateTerm, PredicateTerm, includesUpper: Bool)
}

extension PredicateTerm {
    /// How the values of the term are stored, where the term itself determines it.
    var coding: AnyValueCoding? {
        switch self {
        case .row, .constant, .range: nil
        case .expression(_, let coding): coding
        case .condition, .optionalCondition: .bool
        }
    }

    /// The term as a value, stored as another coding defines.
    func expression(_ coding: AnyValueCoding, in scope: PredicateScope) throws -> StoreExpression {
        switch self {
        case .expression(let expression, _): return expression
        case .constant(let value):
            if unwrapped(value) == nil { return .value(.null) }
            guard let encoded = try coding.encode(value) else {
                throw scope.unsupported(
                    "compares a \(coding.type) with a \(type(of: value))",
                    "Compare values of one type.")
            }
            return .value(encoded)
        case .condition(let condition): return Self.choice(condition)
        case .optionalCondition(let condition, let present):
            return .choose(present, Self.choice(condition), .value(.null))
        case .row:
            throw scope.unsupported("uses the row as a whole", "Name its properties.")
        case .range:
            throw scope.unsupported(
                "uses a range as a value", "Ask a range for contains(_:) only.")
        }
    }

    /// The term as a condition.
    func condition(in scope: PredicateScope) throws -> StorePredicate {
        switch self {
        case .condition(let condition): return condition
        case .constant(let value as Bool): return .constant(value)
        case .expression(let expression, let coding) where coding.type == Bool.self:
            return .comparing(expression, .equal, .value(.integer(1)))
        case .optionalCondition(let condition, let present): return .all([present, condition])
        case .row, .constant, .expression, .range:
            throw scope.unsupported(
                "uses something as a condition that is neither true nor false", "Compare it.")
        }
    }

    private static func choice(_ condition: StorePredicate) -> StoreExpression {
        .choose(condition, .value(.integer(1)), .value(.integer(0)))
    }
}

extension StoreExpression {
    /// Whether it has no value wherever another one has none.
    func needs(_ other: StoreExpression) -> Bool {
        if self == other { return true }
        return switch self {
        case .call(_, let arguments): arguments.contains { $0.needs(other) }
        case .arithmetic(_, let left, let right, _): left.needs(other) || right.needs(other)
        case .column, .value, .coalesce, .choose, .through, .related, .aggregate, .window,
            .subquery, .outer:
            false
        }
    }
}
