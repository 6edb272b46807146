public import SkiathosStore

// A Codable entity could be stored as JSON, as a copy that never changes with its row. An
// overload that is unavailable ranks last, so the compiler would choose the one for JSON. An
// unavailable *getter* does not count when overloads are ranked: the property wins, and is
// refused then.

extension Coding {
    /// Exists only for its diagnostic: the compiler chooses it for `of` where a column would
    /// hold another entity, and then refuses it.
    public static var of: RefusedColumn {
        @available(
            *, unavailable,
            message:
                "a column cannot hold another entity: keep its ID, such as 'Company.ID?', or declare a computed 'ToMany' for the rows that refer to this one."
        )
        get { preconditionFailure("A column that the compiler refuses was made.") }
    }
}

/// The type that ``Coding`` has for a column that would hold an entity.
///
/// It has no instance: the compiler refuses to get one, and reports why.
public struct RefusedColumn: Sendable {
    private init() {}

    /// Is never called.
    public func callAsFunction<E: Entity>(_ type: E.Type) -> RefusedCoding<E>.Type { refuse() }
    /// Is never called.
    public func callAsFunction<E: Entity>(_ type: E?.Type) -> RefusedCoding<E?>.Type { refuse() }
    /// Is never called.
    public func callAsFunction<E: Entity>(_ type: [E].Type) -> RefusedCoding<[E]>.Type { refuse() }
    /// Is never called.
    public func callAsFunction<E: Entity>(_ type: [E]?.Type) -> RefusedCoding<[E]?>.Type {
        refuse()
    }

    private func refuse() -> Never {
        preconditionFailure("A column that the compiler refuses was made.")
    }
}

/// The coding of a column that would hold an entity.
///
/// The compiler reports one error about the column and none about its consequences.
public enum RefusedCoding<Value: Sendable>: ColumnCoding {
    /// Never asked for.
    public static var storage: StorageClass { .blob }
    /// Never asked for.
    public static var isOptional: Bool { false }
    /// Never asked for.
    public static var referencedType: Any.Type? { nil }
    /// Never called.
    public static func read(_ row: RowReader, _ column: Int) throws -> Value {
        throw StoreError.undecodable(Value.self, column: column)
    }
    /// Never called.
    public static func bind(
        _ value: Value, _ parameters: ParameterWriter, _ position: Int
    ) throws {
        throw StoreError(.invalidValue, "\(Value.self) cannot be stored in a column.")
    }
    /// Never called.
    public static func areIdentical(_ left: Value, _ right: Value) -> Bool { false }
}
