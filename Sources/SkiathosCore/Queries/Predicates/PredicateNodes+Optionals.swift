import SkiathosPlatformFoundation
import SkiathosStore

extension PredicateExpressions.OptionalFlatMap: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        let optional = try scope.term(of: wrapped)
        let inner = scope.binding(variable.key, to: optional)
        switch optional {
        case .constant(let value):
            guard let value = unwrapped(value) else { return .constant(Bool?.none as Any) }
            return try scope.binding(variable.key, to: .constant(value)).term(of: transform)
        case .expression(let expression, _):
            let present = StorePredicate.comparison(expression, .notEqual, .value(.null))
            return try transformed(expression, present, inner)
        case .optionalCondition(let condition, let present):
            let inner = scope.binding(variable.key, to: .condition(condition))
            return try transformed(nil, present, inner)
        case .row, .condition, .range:
            throw scope.unsupported(
                "unwraps something that is no optional value", "Unwrap optional columns.")
        }
    }

    private func transformed(
        _ expression: StoreExpression?, _ present: StorePredicate, _ scope: PredicateScope
    ) throws -> PredicateTerm {
        switch try scope.term(of: transform) {
        case .condition(let condition): return .optionalCondition(condition, present: present)
        case .optionalCondition(let condition, let other):
            return .optionalCondition(condition, present: .all([present, other]))
        case .expression(let result, let coding):
            if let expression, result.needs(expression) { return .expression(result, coding) }
            return .expression(.choose(present, result, .value(.null)), coding)
        case .constant(let value):
            let term = PredicateTerm.constant(value)
            let coding = try scope.coding(of: term, term, as: RHS.Output.self)
            let result = try term.expression(coding, in: scope)
            return .expression(.choose(present, result, .value(.null)), coding)
        case .row, .range:
            throw scope.unsupported(
                "makes something of an optional that is no value", "Make a value or a condition.")
        }
    }
}

extension PredicateExpressions.NilCoalesce: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        let first = try scope.term(of: lhs)
        let second = try scope.term(of: rhs)
        switch first {
        case .constant(let value): return unwrapped(value).map { .constant($0) } ?? second
        case .optionalCondition(let condition, let present):
            guard case .optionalCondition(let other, let otherPresent) = second else {
                return .condition(
                    try Self.choice(present, condition, try second.condition(in: scope)))
            }
            return .optionalCondition(
                try Self.choice(present, condition, other), present: .any([present, otherPresent]))
        case .row, .expression, .condition, .range:
            let coding = try scope.coding(of: first, second, as: LHS.Output.self)
            return .expression(
                .coalesce(
                    try first.expression(coding, in: scope),
                    try second.expression(coding, in: scope)), coding)
        }
    }

    private static func choice(
        _ present: StorePredicate, _ condition: StorePredicate, _ other: StorePredicate
    ) throws -> StorePredicate {
        .any([.all([present, condition]), .all([.not(present), other])])
    }
}

/// Swift's evaluation fails where there is no value.
///
/// A row for which it does not fail, because an earlier operand has decided, has the same
/// result here.
extension PredicateExpressions.ForcedUnwrap: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        let optional = try scope.term(of: inner)
        guard case .constant(let value) = optional else { return optional }
        guard let value = unwrapped(value) else {
            throw scope.unsupported(
                "unwraps a captured value that is nil", "Give it a value, or use ??.")
        }
        return .constant(value)
    }
}

extension PredicateExpressions.ForceCast: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        let term = try scope.term(of: input)
        if Input.Output.self == Desired.self { return term }
        guard case .constant(let value) = term, let value = value as? Desired else {
            throw scope.cast(Input.Output.self, Desired.self)
        }
        return .constant(value)
    }
}

extension PredicateExpressions.ConditionalCast: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        guard case .constant(let value) = try scope.term(of: input) else {
            throw scope.cast(Input.Output.self, Desired.self)
        }
        return .constant(value as? Desired as Any)
    }
}

extension PredicateExpressions.TypeCheck: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        guard case .constant(let value) = try scope.term(of: input) else {
            throw scope.cast(Input.Output.self, Desired.self)
        }
        return .condition(.constant(value is Desired))
    }
}

extension PredicateScope {
    fileprivate func cast(_ type: Any.Type, _ other: Any.Type) -> DataAccessError {
        unsupported(
            "casts a value of the row from \(type) to \(other)",
            "Compare with a value of the column's own type.")
    }
}
