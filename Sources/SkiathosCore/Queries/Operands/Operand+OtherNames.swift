// Names from other libraries: overloads that exist only for their diagnostics.

extension QueryOperand {
    /// Exists only for its diagnostic.
    @available(*, unavailable, message: "write '== nil'.")
    public var isNull: Condition<Root> { preconditionFailure("Write '== nil'.") }

    /// Exists only for its diagnostic.
    @available(*, unavailable, message: "write '!= nil'.")
    public var isNotNull: Condition<Root> { preconditionFailure("Write '!= nil'.") }

    /// Exists only for its diagnostic.
    @available(*, unavailable, message: "write '.in([1, 2])' or '[1, 2].contains($0.age)'.")
    public func isIn(_ values: [Value]) -> Condition<Root> { preconditionFailure("Write 'in'.") }

    /// Exists only for its diagnostic.
    @available(*, unavailable, message: "write '.in(18...65)' or '(18...65).contains($0.age)'.")
    public func between(_ smallest: Value, _ largest: Value) -> Condition<Root> {
        preconditionFailure("Write 'in' with a range.")
    }

    /// Exists only for its diagnostic.
    @available(*, unavailable, renamed: "average")
    public var avg: ColumnExpression<Root, Double?> { preconditionFailure("Write 'average'.") }
}

extension QueryOperand where Value: TextColumnValue {
    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "write '.contains(\"x\")', '.hasPrefix(\"x\")' or '.hasSuffix(\"x\")', after '.caseInsensitive' whatever the case."
    )
    public func like(_ pattern: String) -> Condition<Root> {
        preconditionFailure("Write 'contains', 'hasPrefix' or 'hasSuffix'.")
    }

    /// Exists only for its diagnostic.
    @available(*, unavailable, renamed: "hasPrefix(_:)")
    public func startsWith(_ prefix: String) -> Condition<Root> {
        preconditionFailure("Write 'hasPrefix'.")
    }

    /// Exists only for its diagnostic.
    @available(*, unavailable, renamed: "hasPrefix(_:)")
    public func starts(with prefix: String) -> Condition<Root> {
        preconditionFailure("Write 'hasPrefix'.")
    }

    /// Exists only for its diagnostic.
    @available(*, unavailable, renamed: "hasSuffix(_:)")
    public func endsWith(_ suffix: String) -> Condition<Root> {
        preconditionFailure("Write 'hasSuffix'.")
    }

    /// Exists only for its diagnostic.
    @available(*, unavailable, message: "write '.caseInsensitive.contains(\"x\")'.")
    public func localizedStandardContains(_ text: String) -> Condition<Root> {
        preconditionFailure("Write 'caseInsensitive.contains'.")
    }

    /// Exists only for its diagnostic.
    @available(*, unavailable, message: "write '.caseInsensitive.contains(\"x\")'.")
    public func localizedCaseInsensitiveContains(_ text: String) -> Condition<Root> {
        preconditionFailure("Write 'caseInsensitive.contains'.")
    }
}

// Functions that columns of other types have.
extension QueryOperand {
    /// Exists only for its diagnostic.
    @available(*, unavailable, message: "only texts begin with a text.")
    @_disfavoredOverload
    public func hasPrefix(_ prefix: String) -> Condition<Root> {
        preconditionFailure("Only texts begin with a text.")
    }

    /// Exists only for its diagnostic.
    @available(*, unavailable, message: "only texts end with a text.")
    @_disfavoredOverload
    public func hasSuffix(_ suffix: String) -> Condition<Root> {
        preconditionFailure("Only texts end with a text.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message: "only texts contain a text. A list is asked like '[1, 2].contains($0.age)'."
    )
    @_disfavoredOverload
    public func contains(_ text: String) -> Condition<Root> {
        preconditionFailure("Only texts contain a text.")
    }
}

extension QueryOperand where Value: TextColumnValue {
    /// Exists only for its diagnostic.
    @available(*, unavailable, message: "only numbers have a sum.")
    @_disfavoredOverload
    public var sum: ColumnExpression<Root, Int> { preconditionFailure("Only numbers have a sum.") }

    /// Exists only for its diagnostic.
    @available(*, unavailable, message: "only numbers have a mean.")
    @_disfavoredOverload
    public var average: ColumnExpression<Root, Double?> {
        preconditionFailure("Only numbers have a mean.")
    }
}

extension ColumnPath {
    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "a column of this type has no such member. Texts have those of texts, numbers those of numbers, dates those of dates; a reference has the columns of the entity that it leads to, and a value that is @Embedded its fields, as in '$0.address[\\.city]'."
    )
    @_disfavoredOverload
    public subscript(dynamicMember name: String) -> NoSuchMember<Root> {
        preconditionFailure("A column has no member of this name.")
    }
}

/// Stands for a member that a column does not have, so that the compiler reports the message
/// of that member.
public struct NoSuchMember<Root: Entity>: Sendable {
    private init() {}

    /// Never called.
    public static func == <V>(member: NoSuchMember, value: V) -> Condition<Root> {
        preconditionFailure("A column has no member of this name.")
    }
    /// Never called.
    public static func != <V>(member: NoSuchMember, value: V) -> Condition<Root> {
        preconditionFailure("A column has no member of this name.")
    }
    /// Never called.
    public static func < <V>(member: NoSuchMember, value: V) -> Condition<Root> {
        preconditionFailure("A column has no member of this name.")
    }
    /// Never called.
    public static func > <V>(member: NoSuchMember, value: V) -> Condition<Root> {
        preconditionFailure("A column has no member of this name.")
    }
}

extension ConditionBuilder {
    /// Never called.
    public static func buildExpression(_ member: NoSuchMember<E>) -> Condition<E> {
        preconditionFailure("A column has no member of this name.")
    }
}

extension Column where Value: TextColumnValue {
    /// Exists only for its diagnostic.
    @available(*, unavailable, message: "only numbers are added to.")
    @_disfavoredOverload
    public func add<Other>(_ value: Other) -> Assignment<E> {
        preconditionFailure("Only numbers are added to.")
    }
}

extension Column {
    /// Exists only for its diagnostic.
    @available(*, unavailable, message: "write '$0.age.add(1)'.")
    public static func += (column: Column, value: Value) -> Assignment<E> {
        preconditionFailure("Write 'add'.")
    }

    /// Exists only for its diagnostic.
    @available(*, unavailable, message: "write '$0.age.add(-1)'.")
    public static func -= (column: Column, value: Value) -> Assignment<E> {
        preconditionFailure("Write 'add' with a negative number.")
    }
}
