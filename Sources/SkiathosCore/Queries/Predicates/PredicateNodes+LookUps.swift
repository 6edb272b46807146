import SkiathosPlatformFoundation
import SkiathosStore

/// A look-up in captured values is done once, before the query.
extension PredicateExpressions.CollectionIndexSubscript: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        guard case .constant(let values as Wrapped.Output) = try scope.term(of: wrapped),
            case .constant(let position as Index.Output) = try scope.term(of: index)
        else { throw scope.lookUp("an element of a collection") }
        guard values.indices.contains(position) else {
            throw scope.unsupported(
                "asks a captured collection for an element that it does not have",
                "Check the position beforehand.")
        }
        return .constant(values[position])
    }
}

extension PredicateExpressions.DictionaryKeySubscript: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        guard case .constant(let values as [Key.Output: Value]) = try scope.term(of: wrapped),
            case .constant(let key as Key.Output) = try scope.term(of: key)
        else { throw scope.lookUp("a value of a dictionary") }
        return .constant(values[key] as Any)
    }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        guard
            case .constant(let values as [Key.Output: Default.Output]) = try scope.term(of: wrapped),
            case .constant(let key as Key.Output) = try scope.term(of: key)
        else { throw scope.lookUp("a value of a dictionary") }
        return try values[key].map { .constant($0) } ?? scope.term(of: self.default)
    }
}

extension PredicateExpressions.SequenceMinimum: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        guard case .constant(let values as Elements.Output) = try scope.term(of: elements) else {
            throw scope.lookUp("the smallest element of a sequence (min)")
        }
        return .constant(values.min() as Any)
    }
}

extension PredicateExpressions.SequenceMaximum: PredicateNode {
    func term(in scope: PredicateScope) throws -> PredicateTerm {
        guard case .constant(let values as Elements.Output) = try scope.term(of: elements) else {
            throw scope.lookUp("the largest element of a sequence (max)")
        }
        return .constant(values.max() as Any)
    }
}

extension PredicateScope {
    fileprivate func lookUp(_ what: String) -> DataAccessError {
        unsupported(
            "asks for \(what) where the row decides what comes out",
            "Only captured values can be looked into, by captured values.")
    }
}
