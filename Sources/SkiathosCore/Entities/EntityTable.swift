import SkiathosStore

/// The table of a ``TableEntity``: its name, and its columns in order.
///
/// ```swift
/// static let table = EntityTable("book", id: \Book.id, renamedFrom: "volume") {
///     EntityColumn("title", \.title, .unique)
///     EntityColumn("pages", \.pages)
/// }
/// // CREATE TABLE "book" ("id" INTEGER PRIMARY KEY NOT NULL, "title" TEXT NOT NULL, "pages" …)
/// // CREATE UNIQUE INDEX "book_unique_title" ON "book" ("title")
/// ```
public struct EntityTable<E: Entity>: Sendable {
    let schema: EntitySchema
    /// How the columns beside the ID reach their properties.
    @usableFromInline let accesses: [PropertyAccess<E>]
    private let columns: [EntityColumn<E>]
    private let id: any WritableKeyPath<E, EntityID<E>> & Sendable
    /// The operands of conditions, for each column that of its position.
    let operands: [any Sendable]
    // All its keys are of a type that is Sendable, which the type of a dictionary whose keys are
    // looked up by any key path cannot say, and it never changes.
    nonisolated(unsafe) private let positions: [PartialKeyPath<E>: Int]

    /// Describes a table.
    ///
    /// - Parameters:
    ///   - name: The name of the table; any text that is not empty and does not begin with
    ///     `sqlite_` or `skiathos_`.
    ///   - id: The property of the ID.
    ///   - renamedFrom: Names that the table had before.
    ///   - columns: The columns beside the ID, at most ``ColumnSet/capacity`` − 1.
    public init(
        _ name: String, id: any WritableKeyPath<E, EntityID<E>> & Sendable,
        renamedFrom: String..., @EntityTableBuilder<E> columns: () -> [EntityColumn<E>]
    ) {
        let columns = columns()
        self.columns = columns
        self.id = id
        accesses = columns.map(\.access)
        let idColumn = Column<E, EntityID<E>>(0, Coding.of(EntityID<E>.self))
        operands = [idColumn] + columns.enumerated().map { $1.operand($0 + 1) }
        let keyPaths: [PartialKeyPath<E>] = [id] + columns.map(\.keyPath)
        let positions = Dictionary(
            zip(keyPaths, keyPaths.indices), uniquingKeysWith: { first, _ in first })
        self.positions = positions
        var schema = EntitySchema(
            E.self, table: name, id: Coding.of(EntityID<E>.self), columns: columns.map(\.schema),
            renamedFrom: renamedFrom)
        for (number, column) in columns.enumerated() {
            column.extend(&schema, at: number + 1) { positions[$0] }
        }
        self.schema = schema
    }

    /// The position of the column of a property.
    func position(of property: PartialKeyPath<E>) -> Int? { positions[property] }

    /// The column of a property, for conditions.
    func column<V: Sendable>(_ property: PartialKeyPath<E>, of row: QueryRow) -> Column<E, V> {
        guard let position = positions[property],
            let column = operands[position] as? Column<E, V>
        else {
            preconditionFailure(
                "\(name(of: property)) has no column in the table of \(E.self). List it as an EntityColumn, or ask for another property."
            )
        }
        return row == .outermost ? column : Column(position, column.coding, of: row)
    }
}

extension EntityTable {
    /// Makes the checks that need the key paths.
    ///
    /// - Throws: `StoreError` with code `invalidSchema`.
    func validate() throws {
        var owners: [PartialKeyPath<E>: String] = [:]
        for column in columns {
            let label = column.schema.name
            guard column.keyPath != id else {
                throw refusal(
                    "\(E.self).\(label) has the property of the ID, which has a column of its own. Take it out of the list.",
                    [label])
            }
            if let owner = owners.updateValue(label, forKey: column.keyPath) {
                throw refusal(
                    "\(E.self).\(owner) and \(E.self).\(label) have the same property, \(name(of: column.keyPath)). Give each column one of its own.",
                    [owner, label])
            }
            if let entity = heldEntity(column.valueType) {
                throw refusal(
                    "\(E.self).\(label) would hold a copy of \(entity), which never changes with its row. Keep its ID, such as \(entity).ID?, or declare a computed ToMany for the rows that refer to this one.",
                    [label])
            }
        }
        for column in columns {
            for key in column.uniqueKeys { try validate(key, of: column) }
        }
    }

    private func validate(_ key: [PartialKeyPath<E>], of column: EntityColumn<E>) throws {
        let label = column.schema.name
        if let unknown = key.first(where: { (positions[$0] ?? 0) == 0 }) {
            throw refusal(
                "\(E.self).\(label) is to be unique with \(name(of: unknown)), which has no column beside the ID. List it as an EntityColumn, or name another property.",
                [label])
        }
        guard Set(key).count == key.count else {
            throw refusal(
                "\(E.self).\(label) is to be unique with one property more than once. Name each other property once, and not its own.",
                [label])
        }
    }

    private func refusal(_ message: String, _ columns: [String]) -> StoreError {
        StoreError(.invalidSchema, message, entity: schema.table, columns: columns)
    }

    /// The entity of which a column with values of a type would hold copies.
    private func heldEntity(_ type: Any.Type) -> (any Entity.Type)? {
        if let entity = type as? any Entity.Type { return entity }
        return (type as? any Wrapper.Type).flatMap { heldEntity($0.wrapped) }
    }
}

extension TableEntity {
    /// Makes the checks of the table that need the key paths.
    static func validateTable() throws { try table.validate() }
}

/// A type whose values hold values of another one.
private protocol Wrapper {
    static var wrapped: Any.Type { get }
}

extension Optional: Wrapper {
    fileprivate static var wrapped: Any.Type { Wrapped.self }
}

extension Array: Wrapper {
    fileprivate static var wrapped: Any.Type { Element.self }
}

/// Collects the columns that the closure of an ``EntityTable`` lists.
@resultBuilder
public enum EntityTableBuilder<E: Entity> {
    /// A column.
    public static func buildExpression(_ column: EntityColumn<E>) -> [EntityColumn<E>] { [column] }

    /// The columns one after the other.
    public static func buildBlock(_ columns: [EntityColumn<E>]...) -> [EntityColumn<E>] {
        columns.flatMap { $0 }
    }
}
