public import SkiathosStore

/// The access of a migration step to the store.
///
/// Valid only inside the closure of the step, and only on its thread. Foreign keys are not enforced
/// while steps run, so deleting a row deletes no other; when all is done, every reference must lead
/// to a row.
public final class MigrationContext {
    /// The session of the backend; `nil` once the step is over, so that none of it stays in
    /// use.
    ///
    /// Used on the thread of the step alone.
    private var openSession: (any StoreMigrationSession)?

    init(_ session: any StoreMigrationSession) { openSession = session }

    func end() { openSession = nil }

    /// Whether the store has a table or view of this name now.
    ///
    /// A step runs on stores of every age. It can tell them apart by the tables that exist:
    ///
    /// ```swift
    /// if try step.hasTable("legacy_customer") {
    ///     try step.transform(Customer.self, from: "legacy_customer") { old, customer in … }
    /// }
    /// ```
    ///
    /// Tables have their present names, those of new entities exist, and those that steps of
    /// this opening may drop still exist. Upper and lower case make no difference, as in SQL.
    ///
    /// - Throws: `StoreError` if the file cannot be read.
    public func hasTable(_ table: String) throws -> Bool {
        try session().columns(of: table) != nil
    }

    /// Whether a table or view has a column of this name now; `false` if there is no such table.
    ///
    /// ```swift
    /// let name = try step.hasColumn("handle", of: "user") ? "handle" : "nick"
    /// try step.execute("UPDATE user SET email = \(name) || '@example.org' WHERE email IS NULL")
    /// ```
    ///
    /// A column that the entities do not mention has the name that it has in the file. Upper
    /// and lower case make no difference, as in SQL.
    ///
    /// - Throws: `StoreError` if the file cannot be read.
    public func hasColumn(_ column: String, of table: String) throws -> Bool {
        let lowered = column.lowercased()
        return try session().columns(of: table)?.contains { $0.lowercased() == lowered } ?? false
    }

    /// Executes one statement of SQL, and returns how many rows it has changed.
    ///
    /// ```swift
    /// try step.execute("UPDATE user SET email = lower(email) WHERE id > ?", [1_000])
    /// ```
    ///
    /// - Parameters:
    ///   - sql: One statement, which neither begins nor ends a transaction.
    ///   - values: One for each question mark.
    /// - Throws: `StoreError`. Letting it leave the closure rolls back the whole migration.
    @discardableResult
    public func execute(_ sql: String, _ values: [any ColumnValue] = []) throws -> Int {
        return try session().execute(sql, try values.map(Self.stored))
    }

    /// Iterates over the rows of a query in SQL, one at a time.
    ///
    /// ```swift
    /// try step.rows("SELECT name, count(*) AS n FROM visit GROUP BY name") { row in
    ///     print(try row["name", as: String.self], try row["n", as: Int.self])
    /// }
    /// ```
    public func rows(
        _ sql: String, _ values: [any ColumnValue] = [], _ body: (OldRow) throws -> Void
    ) throws {
        try session().rows(sql, try values.map(Self.stored), body)
    }

    /// The rows of a query in SQL, all of them in memory.
    public func rows(_ sql: String, _ values: [any ColumnValue] = []) throws -> [OldRow] {
        var found: [OldRow] = []
        try rows(sql, values) { found.append($0) }
        return found
    }

    /// Iterates over all rows of an entity and stores the values that the closure makes of
    /// them.
    ///
    /// ```swift
    /// try step.transform(User.self) { old, user in
    ///     user.isAdult = try old["age", as: Int.self] >= 18
    /// }
    /// // SELECT * FROM "user", then UPDATE "user" SET "isAdult" = ? WHERE "id" = ? where it changes
    ///
    /// try step.transform(Customer.self, from: "legacy_customer") { old, customer in
    ///     customer.name = try old["full_name", as: String.self]
    /// }
    /// // SELECT * FROM "legacy_customer", then INSERT INTO "customer" … for each row
    /// ```
    ///
    /// The rows are processed a few hundred at a time, so there may be any number of them. Of
    /// a row of the entity, the columns are stored that the closure has changed, and those
    /// that the step converts. A default that the closure keeps where the row has no value is
    /// stored once all steps are done: until then a later step finds what the file holds. A value that
    /// the entity cannot read, and which no step changes, rolls the migration back.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - table: A table to make new rows from, which may be one that no entity has any more;
    ///     `nil` to change the rows of the entity.
    ///   - body: Gets the row as it is in the file, and the value to change. Where a column of
    ///     the row fits the entity's column of the same name, the value has it. Elsewhere the
    ///     value has the defaults of the entity, and in converted columns what earlier steps
    ///     have stored. An ID that is changed is an error, but for rows from another table.
    public func transform<E: Entity>(
        _ entity: E.Type, from table: String? = nil, _ body: (OldRow, inout E) throws -> Void
    ) throws {
        let session = try session()
        guard let position = session.schema.position(of: entity) else {
            throw DataAccessError(
                .unknownEntity,
                "\(entity) is not among the entities that the store is opened with. Add it, or use rows(_:) to read a table without an entity."
            )
        }
        let transformation = RowTransformation<E>(
            schema: session.schema.entities[position], isInsertion: table != nil)
        try session.transform(
            from: table, into: position, completing: { try transformation.unchanged($0) }
        ) { old, present in
            try transformation.row(of: old, present, body)
        }
    }

    private static func stored(_ value: any ColumnValue) throws -> StoreValue {
        try StoreValue.capture { try value.bind(to: $0, at: 0) }
    }

    private func session() throws -> any StoreMigrationSession {
        if let openSession { return openSession }
        throw DataAccessError(
            .contextEnded,
            "The context of a migration's step was used after the step had ended. Use it inside the closure alone."
        )
    }
}

@available(*, unavailable)
extension MigrationContext: Sendable {}
