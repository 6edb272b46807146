import SkiathosStore

extension Query {
    /// Changes the rows without fetching them.
    ///
    /// Objects that the write tracks are refreshed. Sort keys count only with a limit or an
    /// offset.
    ///
    /// ```swift
    /// try User.where { $0.age >= 65 }.update(set: { $0.isRetired.set(to: true) }, in: context)
    /// // UPDATE "user" SET "isRetired" = 1 WHERE "age" >= 65
    /// ```
    ///
    /// - Returns: The number of rows that the query selects.
    /// - Throws: `StoreError` for a violated constraint, and with code `invalidValue` for a
    ///   computed value that its column cannot hold; `DataAccessError` with code
    ///   `validationFailed` if a row does not meet the requirements of its entity afterwards;
    ///   the rows are as before then.
    @discardableResult
    public func update(
        @AssignmentBuilder<E> set assignments: (E.Columns) -> [Assignment<E>],
        in context: WriteContext
    ) throws -> Int {
        let request = try request(in: context)
        let made = RowClosure.run(E.self, assignments)
        let changes = try made.map { try $0.assignment.get() }
        try Self.requireUsable(changes, made.map(\.row))
        return try context.update(E.self, request, changes)
    }

    /// Deletes the rows without fetching them.
    ///
    /// Objects that the write tracks are refreshed; those of deleted rows count as deleted.
    /// Sort keys count only with a limit or an offset.
    ///
    /// ```swift
    /// try User.where { $0.age > 99 }.deleteAll(in: context)   // DELETE FROM "user" WHERE "age" > 99
    /// ```
    ///
    /// - Returns: The number of rows that were deleted, without those that a delete rule
    ///   deleted with them.
    @discardableResult
    public func deleteAll(in context: WriteContext) throws -> Int {
        let request = try request(in: context)
        try context.hold(E.self, request, deleting: true)
        let affected = context.schema.affectedByDeletion(in: request.entity)
        return try context.change(request.entity, refreshing: affected) {
            try $0.delete(request)
        }
    }

    private static func requireUsable(
        _ changes: [StoreAssignment], _ rows: [QueryRow]
    ) throws {
        func refuse(_ sentence: String) -> DataAccessError {
            DataAccessError(.invalidRequest, "update of \(E.schema.typeName) \(sentence)")
        }
        guard !changes.isEmpty else {
            throw refuse("changes no column. Say what is set, as in '$0.age.set(to: 3)'.")
        }
        guard rows.allSatisfy({ $0 == .outermost }) else {
            throw refuse(
                "sets a column of another row. Set the columns that the closure of 'set' gets.")
        }
        var columns: Set<Int> = []
        for change in changes {
            guard change.column != 0 else {
                throw refuse(
                    "sets the ID. IDs are final; delete the rows and create others.")
            }
            guard columns.insert(change.column).inserted else {
                let name = E.schema.columns[change.column].name
                throw refuse("sets \"\(name)\" twice. Set each column once.")
            }
        }
    }
}
