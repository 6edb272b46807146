public import SkiathosStore

extension Query {
    /// The SQL of the query and its query plan, without running it.
    ///
    /// ```swift
    /// print(try User.where { $0.age >= 18 }.explained(in: context))
    /// // SELECT … FROM "user" WHERE ("age" >= ?)
    /// // SEARCH user USING INDEX user_index_age (age>?)
    /// ```
    public func explained(in context: some QueryContext) throws -> QueryExplanation {
        let request = try request(in: context)
        return try context.query { try $0.explain(request) }
    }
}

extension Selection {
    /// The SQL of the selection and its query plan, without running it.
    public func explained(in context: some QueryContext) throws -> QueryExplanation {
        let request = try request(in: context)
        return try context.query { try $0.explain(request) }
    }
}
