// Names from other libraries: overloads that exist only for their diagnostics.

extension Query {
    /// Exists only for its diagnostic.
    @available(*, unavailable, renamed: "where(_:)")
    public func filter(@ConditionBuilder<E> _ condition: (E.Columns) -> Condition<E>) -> Query {
        preconditionFailure("Write 'where'.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable, message: "write 'order { $0.age }' or 'order { $0.age.descending }'."
    )
    public func order<V>(_ key: KeyPath<E.Columns, Column<E, V>>) -> Query {
        preconditionFailure("Write a closure.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable, message: "write 'order { $0.age }' or 'order { $0.age.descending }'."
    )
    public func order<V>(by key: KeyPath<E, V>) -> Query { preconditionFailure("Write a closure.") }

    /// Exists only for its diagnostic.
    @available(*, unavailable, message: "write 'select { $0.name }', which is run by 'all(in:)'.")
    public func map<each Operand: QueryOperand>(
        _ operands: (E.Columns) -> (repeat each Operand)
    ) -> Selection<E, (repeat (each Operand).Value)> { preconditionFailure("Write 'select'.") }
}

extension Entity {
    /// Exists only for its diagnostic.
    @available(*, unavailable, renamed: "where(_:)")
    public static func filter(
        @ConditionBuilder<Self> _ condition: (Columns) -> Condition<Self>
    ) -> Query<Self> { preconditionFailure("Write 'where'.") }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable, message: "write 'order { $0.age }' or 'order { $0.age.descending }'."
    )
    public static func order<V>(_ key: KeyPath<Columns, Column<Self, V>>) -> Query<Self> {
        preconditionFailure("Write a closure.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable, message: "write 'order { $0.age }' or 'order { $0.age.descending }'."
    )
    public static func order<V>(by key: KeyPath<Self, V>) -> Query<Self> {
        preconditionFailure("Write a closure.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message: "a condition is a closure, 'where { $0.age >= 18 }'. SQL is for 'SkiathosGRDB'."
    )
    public static func `where`(_ sql: String) -> Query<Self> {
        preconditionFailure("A condition is a closure.")
    }
}

extension Grouping {
    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "say what is wanted of each group first: '.select { $0.id.count }.all(in: context)'."
    )
    public func all(in context: some QueryContext) throws -> [E] {
        preconditionFailure("Groups need a selection.")
    }
}
