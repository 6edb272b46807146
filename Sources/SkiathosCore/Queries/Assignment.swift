import SkiathosStore

/// What `update(where:set:)` does to one column of every row.
public struct Assignment<E: Entity>: Sendable {
    let assignment: Result<StoreAssignment, any Error>
}

extension Column {
    /// Gives the column a value.
    ///
    /// ```swift
    /// try User.update(where: { $0.age >= 65 }, set: { [$0.isRetired.set(to: true)] }, in: context)
    /// // UPDATE "user" SET "isRetired" = 1 WHERE "age" >= 65
    /// ```
    public func set(to value: Value) -> Assignment<E> {
        Assignment(
            assignment: Result { StoreAssignment(column: position, .set(try encode(value))) })
    }
}

extension Column where Value: Numeric {
    /// Adds a number, which may be negative, to the column.
    public func add(_ value: Value) -> Assignment<E> {
        Assignment(
            assignment: Result { StoreAssignment(column: position, .add(try encode(value))) })
    }
}
