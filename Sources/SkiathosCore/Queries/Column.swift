public import SkiathosStore

/// A column of an entity, from which conditions, sort keys and assignments are made.
///
/// ```swift
/// try User.all(where: { $0.age >= 18 && $0.lastname.hasPrefix("Lo") }, in: context)
/// // SELECT … FROM "user" WHERE "age" >= 18 AND "lastname" >= 'Lo' AND "lastname" < 'Lp'
/// ```
///
/// Comparing with a value of another type does not compile.
public struct Column<E: Entity, Value: Sendable>: Sendable {
    /// The position in the entity's schema.
    public let position: Int

    let encode: @Sendable (Value) throws -> StoreValue

    /// Makes the column at a position of the entity's schema.
    public init<C: ColumnCoding>(_ position: Int, _ coding: C.Type) where C.Value == Value {
        self.position = position
        self.encode = { try StoreValue($0, C.self) }
    }
}
