/// What is computed from each row of a query of any entity, as a set of values.
///
/// ```swift
/// .containedIn(.column(2), StoreSelection(Film.schema, .column(0), of: StoreRows(where: isLong)))
/// // "film" IN (SELECT "id" FROM "film" WHERE …)
/// ```
///
/// It may refer to the rows around it by ``StoreExpression/outer(_:_:)``.
public struct StoreSelection: Sendable, Hashable {
    /// The Swift type of the entity.
    public var entity: ObjectIdentifier
    /// The name of that type, for messages.
    public var entityName: String
    /// What is computed from each row.
    public var result: StoreExpression
    /// The rows, whose limit and offset count the results.
    public var rows: StoreRows
    /// Whether equal results count once, which matters only with a limit or an offset.
    public var isDistinct: Bool

    /// Makes a selection from the rows of an entity.
    public init(
        _ entity: EntitySchema, _ result: StoreExpression, of rows: StoreRows,
        isDistinct: Bool = false
    ) {
        self.entity = entity.type
        self.entityName = entity.typeName
        self.result = result
        self.rows = rows
        self.isDistinct = isDistinct
    }
}

extension StoreSelection: CustomStringConvertible {
    /// A description of the selection that is the same in every process.
    public var description: String { "\(entityName) \(result) \(rows) \(isDistinct)" }
}
