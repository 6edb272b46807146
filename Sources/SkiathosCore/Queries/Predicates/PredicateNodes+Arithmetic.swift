import SkiathosPlatformFoundation
import SkiathosStore

/// The store handles a result that an integer cannot hold, and a division by a column that is
/// zero; nothing traps.
extension PredicateExpressions.Arithmetic: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        let operation: StoreExpression.Operator
        switch op {
        case .add: operation = .add
        case .subtract: operation = .subtract
        case .multiply: operation = .multiply
        @unknown default:
            throw scope.unsupported("computes in a way that is new", "Use +, - or *.")
        }
        return try scope.arithmetic(operation, lhs, rhs)
    }
}

extension PredicateExpressions.IntDivision: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        try scope.requireDivisor(rhs, LHS.Output.zero)
        return try scope.arithmetic(.divide, lhs, rhs)
    }
}

extension PredicateExpressions.FloatDivision: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        try scope.requireDivisor(rhs, LHS.Output.zero)
        return try scope.arithmetic(.divide, lhs, rhs)
    }
}

extension PredicateExpressions.IntRemainder: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        try scope.requireDivisor(rhs, LHS.Output.zero)
        return try scope.arithmetic(.remainder, lhs, rhs)
    }
}

extension PredicateExpressions.UnaryMinus: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        try scope.arithmetic(
            .subtract, .constant(Wrapped.Output.zero), try scope.term(of: wrapped),
            Wrapped.Output.self)
    }
}

extension PredicateScope {
    fileprivate func arithmetic<Left: PredicateExpression>(
        _ operation: StoreExpression.Operator, _ left: Left, _ right: some PredicateExpression
    ) throws -> PredicateTerm {
        try arithmetic(operation, try term(of: left), try term(of: right), Left.Output.self)
    }

    fileprivate func arithmetic(
        _ operation: StoreExpression.Operator, _ left: PredicateTerm, _ right: PredicateTerm,
        _ type: Any.Type
    ) throws -> PredicateTerm {
        let coding = try coding(of: left, right, as: type)
        return .expression(
            .arithmetic(
                operation, try left.expression(coding, in: self),
                try right.expression(coding, in: self), coding.storage), coding)
    }

    fileprivate func requireDivisor<Number: Equatable>(
        _ divisor: some PredicateExpression, _ zero: Number
    ) throws {
        guard case .constant(let value) = try term(of: divisor), value as? Number == zero else {
            return
        }
        throw DataAccessError(
            .invalidRequest, "A predicate of \(entity) divides by zero. Divide by another number.")
    }
}
