public import SkiathosPlatformFoundation
import SkiathosStore

extension Condition {
    /// The condition of a predicate of Foundation, to be combined with other conditions.
    ///
    /// ```swift
    /// let adults = #Predicate<User> { $0.age >= 18 }
    /// try User.all(where: { Condition(adults) && $0.company.city == "Athens" }, in: context)
    /// ```
    ///
    /// Predicates mean the same as conditions of columns: texts are compared by their Unicode
    /// scalars, not by canonical equivalence. An expression that a store cannot compute makes
    /// the query fail with a ``DataAccessError`` of code `unsupportedPredicate`, before any
    /// SQL.
    public init(_ predicate: Predicate<E>) {
        self.init(
            Result {
                let scope = PredicateScope(E.self, predicate.variable)
                // Made inside of a closure about the entity, it is about the row of that closure.
                return RowClosure.innermostRow(of: E.self)
                    .of(E.self, try scope.condition(of: predicate.expression))
            })
    }
}

extension Query {
    /// The rows that also meet a predicate of Foundation.
    ///
    /// ```swift
    /// let name = "Lov"
    /// let query = User.query.where(#Predicate { $0.age >= 18 && $0.lastname.starts(with: name) })
    /// // … WHERE (("age" >= 18) AND ("lastname" >= 'Lov' AND "lastname" < 'Low'))
    /// ```
    ///
    /// Running it throws a ``DataAccessError`` of code `unsupportedPredicate` if the predicate
    /// has an expression that a store cannot compute; the message names the part and what to
    /// use instead.
    public func `where`(_ predicate: Predicate<E>) -> Query {
        self.where { _ in Condition(predicate) }
    }
}

extension Entity {
    /// The rows that meet a predicate of Foundation, as a query.
    ///
    /// ```swift
    /// let adults = User.where(#Predicate { $0.age >= 18 })
    /// ```
    public static func `where`(_ predicate: Predicate<Self>) -> Query<Self> {
        query.where(predicate)
    }
}
