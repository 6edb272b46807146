// Names from other libraries and likely mistakes: overloads that exist only for their
// diagnostics.

extension Entity {
    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "keys of this entity are not generated. Choose one with 'create(id:in:)', as in 'Country.create(id: \"GR\", in: context)'."
    )
    @_disfavoredOverload
    @discardableResult
    public static func create(
        in context: WriteContext, _ change: (inout Self) throws -> Void = { _ in }
    ) throws -> Managed<Self> {
        preconditionFailure("Keys of this entity are not generated.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message: "a number is no ID. Write 'User.ID(number)', or keep the ID itself."
    )
    @_disfavoredOverload
    public static func find(_ number: Int, in context: ReadContext) throws -> Self? {
        preconditionFailure("A number is no ID.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message: "a number is no ID. Write 'User.ID(number)', or keep the ID itself."
    )
    @_disfavoredOverload
    public static func find(_ number: Int, in context: WriteContext) throws -> Managed<Self>? {
        preconditionFailure("A number is no ID.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable, message: "a text is no ID. Write 'Country.ID(text)', or keep the ID itself."
    )
    @_disfavoredOverload
    public static func find(_ text: String, in context: ReadContext) throws -> Self? {
        preconditionFailure("A text is no ID.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable, message: "a text is no ID. Write 'Country.ID(text)', or keep the ID itself."
    )
    @_disfavoredOverload
    public static func find(_ text: String, in context: WriteContext) throws -> Managed<Self>? {
        preconditionFailure("A text is no ID.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message: "the type stores its values: write 'User.insert(user, in: context)'."
    )
    @discardableResult
    public func insert(in context: WriteContext) throws -> Managed<Self> {
        preconditionFailure("The type stores its values.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message: "the type stores its values: write 'User.insert(user, in: context)', or 'upsert'."
    )
    @discardableResult
    public func save(in context: WriteContext) throws -> Managed<Self> {
        preconditionFailure("The type stores its values.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message: "a value is not deleted. Find its object in a write, and delete that."
    )
    public func delete() { preconditionFailure("A value is not deleted.") }

    /// Exists only for its diagnostic.
    @available(*, unavailable, renamed: "deleteAll(where:in:)")
    public static func delete(
        @ConditionBuilder<Self> where condition: (Columns) -> Condition<Self>,
        in context: WriteContext
    ) throws -> Int { preconditionFailure("Write 'deleteAll'.") }
}
