import SkiathosStore

extension Entity {
    /// Finds the row with the same unique key and gives it the other properties of a value, or
    /// stores the value as a new row.
    ///
    /// Since writes run one at a time, no two of them can both find nothing and both insert.
    ///
    /// ```swift
    /// let user = try User.upsert(User(firstname: "Ada", email: "ada@example.org"), by: \.email, in: context)
    /// // SELECT … WHERE "email" = 'ada@example.org', then an INSERT, a minimal UPDATE, or nothing
    /// ```
    ///
    /// - Parameters:
    ///   - value: What the row shall hold. Its ID counts only for a new row, or without key paths.
    ///   - keyPaths: The columns of a unique key, in any order; without any, the ID. A key with a
    ///     `nil` in it equals no row, so the value is inserted.
    ///   - context: The context of the write.
    /// - Returns: The tracked object, whose ID is that of the row.
    /// - Throws: ``DataAccessError`` with code `invalidRequest` if the columns are not a unique key.
    @discardableResult
    public static func upsert(
        _ value: Self, by keyPaths: PartialKeyPath<Self>..., in context: WriteContext
    ) throws -> Managed<Self> {
        let columns = try keyPaths.isEmpty ? [0] : uniqueKey(keyPaths)
        guard let existing = try row(matching: value, in: columns, context) else {
            return try insert(value, in: context)
        }
        existing.unit.replace(existing, with: value)
        return existing
    }

    private static func row(
        matching value: Self, in columns: [Int], _ context: WriteContext
    ) throws -> Managed<Self>? {
        if columns == [0] { return value.id == .unassigned ? nil : try find(value.id, in: context) }
        let conditions = try columns.map { column -> StorePredicate in
            let key = try StoreValue.capture { try value.bind(column, to: $0, at: 0) }
            return key == .null
                ? .constant(false) : .comparison(.column(column), .equal, .value(key))
        }
        return try Query(Condition(.all(conditions))).first(in: context)
    }

    private static func uniqueKey(_ keyPaths: [PartialKeyPath<Self>]) throws -> [Int] {
        let columns = try keyPaths.map { keyPath -> Int in
            guard let column = column(at: keyPath) else {
                throw DataAccessError(
                    .invalidRequest,
                    "upsert of \(schema.typeName) was given a key path that is not a column: \(keyPath)."
                )
            }
            return column
        }
        let wanted = Set(columns)
        guard wanted == [0] || schema.uniqueKeys.contains(where: { Set($0) == wanted }) else {
            let names = columns.map { schema.columns[$0].name }.joined(separator: ", ")
            throw DataAccessError(
                .invalidRequest,
                "upsert of \(schema.typeName) by \(names) needs these columns to be unique together. Mark them with @Unique."
            )
        }
        return columns
    }
}
