extension Entity {
    /// Finds the row with the same unique key and sets its other properties to those of a
    /// value, or stores the value as a new row.
    ///
    /// Since writes run one at a time, no two of them can both find nothing and both insert.
    ///
    /// ```swift
    /// let user = try User.upsert(User(firstname: "Ada", email: "ada@example.org"), by: \.email, in: context)
    /// // SELECT … WHERE "email" = 'ada@example.org', then an INSERT, a minimal UPDATE, or nothing
    /// ```
    ///
    /// - Parameters:
    ///   - value: The wanted row. Its ID counts only for a new row, or without key paths.
    ///   - keyPaths: The columns of a unique key, in any order; without any, the ID. A key with a
    ///     `nil` in it equals no row, so the value is inserted.
    ///   - context: The context of the write.
    /// - Returns: The tracked object, whose ID is that of the row.
    /// - Throws: ``DataAccessError`` with code `invalidRequest` if the columns are not a
    ///   unique key; with code `invalidID` if the key is the ID, and a value has none.
    @discardableResult
    public static func upsert(
        _ value: Self, by keyPaths: PartialKeyPath<Self>..., in context: WriteContext
    ) throws -> Managed<Self> {
        try upsert(value, UpsertKey(keyPaths), context).object
    }

    /// Upserts like `upsert(_:by:in:)`, and returns the outcome.
    ///
    /// ```swift
    /// let (user, outcome) = try User.upsert(reporting: value, by: \.email, in: context)
    /// if outcome == .inserted { greet(user) }
    /// ```
    ///
    /// - Returns: The tracked object, and whether it is new, was changed, or had the value
    ///   already.
    /// - Throws: ``DataAccessError`` with code `invalidRequest` if the columns are not a
    ///   unique key; with code `invalidID` if the key is the ID, and a value has none.
    public static func upsert(
        reporting value: Self, by keyPaths: PartialKeyPath<Self>..., in context: WriteContext
    ) throws -> (object: Managed<Self>, outcome: UpsertOutcome) {
        try upsert(value, UpsertKey(keyPaths), context)
    }

    /// Finds the rows with the same unique key for many values, with one query for every 500,
    /// and then sets their other properties; stores the values without a row as new ones.
    ///
    /// ```swift
    /// let report = try User.upsert(users, by: \.email, in: context)
    /// print("\(report.inserted.count) new, \(report.updated.count) changed")
    /// // SELECT … WHERE "email" IN (…), then INSERTs and minimal UPDATEs
    /// ```
    ///
    /// The outcome is that of single ones in the same order: of two values with the same key the
    /// later one wins, and a key with a `nil` in it equals no row. All rows are found before the first
    /// is changed, so rows may exchange values of their other unique properties.
    ///
    /// - Returns: The outcome for each value. Rows that have their value already are not
    ///   written.
    /// - Throws: ``DataAccessError`` with code `invalidRequest` if the columns are not a
    ///   unique key; with code `invalidID` if the key is the ID, and a value has none.
    @discardableResult
    public static func upsert(
        _ values: some Sequence<Self>, by keyPaths: PartialKeyPath<Self>...,
        in context: WriteContext
    ) throws -> UpsertReport<Self> {
        let key = try UpsertKey(keyPaths)
        var report = UpsertReport<Self>()
        try upsert(Array(values), key, context) { report.add($0.id, $1) }
        return report
    }

    private static func upsert(
        _ value: Self, _ key: UpsertKey<Self>, _ context: WriteContext
    ) throws -> (object: Managed<Self>, outcome: UpsertOutcome) {
        var result: (object: Managed<Self>, outcome: UpsertOutcome)?
        try upsert([value], key, context) { result = ($0, $1) }
        guard let result else { preconditionFailure("An upsert has said nothing of its value.") }
        return result
    }

    /// Looks up the rows of all values, and calls back for each of them.
    private static func upsert(
        _ values: [Self], _ key: UpsertKey<Self>, _ context: WriteContext,
        _ done: (Managed<Self>, UpsertOutcome) -> Void
    ) throws {
        try upsert(values, by: key, in: context, deciding: { _, _ in true }) { object, outcome in
            if let object { done(object, outcome) }
        }
    }

    /// Looks up the rows of all values, and then asks for each value whether to write it.
    ///
    /// A look-up between two changes would flush the first one alone.
    ///
    /// - Parameters:
    ///   - decide: Gets the value, of which it may change all but the key, and that of the
    ///     row, if there is one. With `false` the row stays as it is, and is not created if
    ///     there is none.
    ///   - done: Called once for each value in their order; `nil` stands for a row that was
    ///     not created.
    package static func upsert(
        _ values: [Self], by key: UpsertKey<Self>, in context: WriteContext,
        deciding decide: (inout Self, Self?) throws -> Bool,
        _ done: (Managed<Self>?, UpsertOutcome) throws -> Void
    ) throws {
        let keys = try values.map { try key.values(of: $0) }
        var known = try key.objects(
            matching: values, having: keys.compactMap { $0 },
            in: try context.unit(of: Self.self))
        for (value, values) in zip(values, keys) {
            var value = value
            let existing = values.flatMap { known[$0] }
            guard try decide(&value, existing?.current) else {
                try done(existing, .unchanged)
                continue
            }
            if let existing {
                guard !value.changedColumns(from: existing.current).isEmpty else {
                    try done(existing, .unchanged)
                    continue
                }
                existing.unit.replace(existing, with: value)
                try done(existing, .updated)
            } else {
                let object = try insert(value, in: context)
                if let values { known[values] = object }
                try done(object, .inserted)
            }
        }
    }
}
