/// The coding of types that cannot be stored, which no code that compiles can name.
///
/// It lets the compiler give one message about the type and none about what follows from it.
@available(*, unavailable)
public enum UnsupportedCoding<Value: Sendable>: ColumnCoding {
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
