public import SkiathosStore

/// One column of an ``EntityTable``: its name, the property that it stores, and its attributes.
///
/// ```swift
/// EntityColumn("email", \.email, .unique)
/// // "email" TEXT, CREATE UNIQUE INDEX "user_unique_email" ON "user" ("email")
/// EntityColumn("company", \.company, .references(onDelete: .cascade))
/// // "company" INTEGER REFERENCES "company"("id") ON DELETE CASCADE …
/// ```
///
/// The type of the property decides how its values are stored, as ``Coding`` does: as itself, by
/// its raw value, or as JSON. A property of another type does not compile.
public struct EntityColumn<E: Entity>: Sendable {
    let schema: ColumnSchema
    let keyPath: any PartialKeyPath<E> & Sendable
    let valueType: Any.Type
    private let attributes: [Attribute]
    /// The column as an operand, a `Column` of the property's type, at a position.
    let operand: @Sendable (Int) -> any Sendable
    let access: PropertyAccess<E>

    /// A property whose values are stored by a coding of your own.
    ///
    /// - Parameters:
    ///   - name: The name of the column, as a rule that of the property.
    ///   - property: The stored property.
    ///   - coding: How its values are stored.
    ///   - attributes: What else holds for the column.
    @inlinable
    public init<C: ColumnCoding>(
        _ name: String, _ property: any WritableKeyPath<E, C.Value> & Sendable, coding: C.Type,
        _ attributes: Attribute...
    ) {
        self.init(name, property, attributes, C.self)
    }

    /// A property of a type that says itself how it is stored.
    @inlinable
    public init<V: ColumnValue>(
        _ name: String, _ property: any WritableKeyPath<E, V> & Sendable, _ attributes: Attribute...
    ) {
        self.init(name, property, attributes, Coding.of(V.self))
    }

    /// A property of a type with a raw value that says itself how it is stored.
    @inlinable
    public init<V: ColumnValue & RawRepresentable>(
        _ name: String, _ property: any WritableKeyPath<E, V> & Sendable, _ attributes: Attribute...
    ) where V.RawValue: ColumnValue {
        self.init(name, property, attributes, Coding.of(V.self))
    }

    /// An optional property of a type with a raw value that says itself how it is stored.
    @inlinable
    public init<V: ColumnValue & RawRepresentable>(
        _ name: String, _ property: any WritableKeyPath<E, V?> & Sendable,
        _ attributes: Attribute...
    ) where V.RawValue: ColumnValue {
        self.init(name, property, attributes, Coding.of(V?.self))
    }

    /// A property of a type that is stored as its raw value.
    @inlinable
    public init<V: RawRepresentable & Sendable>(
        _ name: String, _ property: any WritableKeyPath<E, V> & Sendable, _ attributes: Attribute...
    ) where V.RawValue: ColumnValue {
        self.init(name, property, attributes, Coding.of(V.self))
    }

    /// An optional property of a type that is stored as its raw value.
    @inlinable
    public init<V: RawRepresentable & Sendable>(
        _ name: String, _ property: any WritableKeyPath<E, V?> & Sendable,
        _ attributes: Attribute...
    ) where V.RawValue: ColumnValue {
        self.init(name, property, attributes, Coding.of(V?.self))
    }

    /// A property of a type that is stored as JSON.
    @_disfavoredOverload
    @inlinable
    public init<V: Codable & Sendable>(
        _ name: String, _ property: any WritableKeyPath<E, V> & Sendable, _ attributes: Attribute...
    ) {
        self.init(name, property, attributes, JSONCoding<V>.self)
    }

    /// An optional property of a type that is stored as JSON.
    @_disfavoredOverload
    @inlinable
    public init<V: Codable & Sendable>(
        _ name: String, _ property: any WritableKeyPath<E, V?> & Sendable,
        _ attributes: Attribute...
    ) {
        self.init(name, property, attributes, OptionalCoding<JSONCoding<V>>.self)
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message:
            "this type cannot be stored in a column: make it Codable, give it a raw value, or conform it to ColumnValue."
    )
    @_disfavoredOverload
    public init<V: Sendable>(
        _ name: String, _ property: any WritableKeyPath<E, V> & Sendable, _ attributes: Attribute...
    ) {
        preconditionFailure("A type that cannot be stored has no column.")
    }

    /// Exists only for its diagnostic.
    @available(
        *, unavailable,
        message: "a property that cannot be set has no column, since a fetched value has to get it."
    )
    @_disfavoredOverload
    public init<V: Sendable>(
        _ name: String, _ property: any KeyPath<E, V> & Sendable, _ attributes: Attribute...
    ) {
        preconditionFailure("A property that cannot be set has no column.")
    }

    /// Makes the closures where the types are known, so that they are specialised.
    @inlinable
    init<C: ColumnCoding>(
        _ name: String, _ property: any WritableKeyPath<E, C.Value> & Sendable,
        _ attributes: [Attribute], _ coding: C.Type
    ) {
        self.init(
            name, C.self, property, attributes,
            PropertyAccess(
                read: { $2[keyPath: property] = try C.read($0, $1) },
                bind: { try C.bind($0[keyPath: property], $1, $2) },
                areIdentical: { C.areIdentical($0[keyPath: property], $1[keyPath: property]) }))
    }

    @usableFromInline
    init<C: ColumnCoding>(
        _ name: String, _ coding: C.Type, _ property: any PartialKeyPath<E> & Sendable,
        _ attributes: [Attribute], _ access: PropertyAccess<E>
    ) {
        schema = ColumnSchema(
            name, C.self, onDelete: attributes.lazy.compactMap(\.deleteRule).first,
            renamedFrom: attributes.flatMap(\.formerNames))
        keyPath = property
        valueType = C.Value.self
        self.attributes = attributes
        operand = { Column<E, C.Value>($0, C.self) }
        self.access = access
    }
}

extension EntityColumn {
    /// The unique keys that begin with the column, by their properties.
    var uniqueKeys: [[PartialKeyPath<E>]] {
        attributes.compactMap(\.uniquePartners).map { [keyPath] + $0 }
    }

    /// Adds the keys and indexes that the attributes ask for to the schema of the table.
    func extend(
        _ schema: inout EntitySchema, at position: Int,
        _ positionOf: (PartialKeyPath<E>) -> Int?
    ) {
        for key in uniqueKeys.map({ $0.compactMap(positionOf) }) {
            let isKnown = schema.uniqueKeys.contains { Set($0) == Set(key) }
            if !isKnown { schema.uniqueKeys.append(key) }
        }
        if attributes.contains(where: \.isIndexed) { schema.indexedColumns.append(position) }
        if attributes.contains(where: \.isSearchable) { schema.searchable.append(position) }
    }
}

/// How the property of a column is read, set and compared.
///
/// A class, so that a loop over the columns counts one reference for each of them.
@usableFromInline
final class PropertyAccess<E: Entity>: Sendable {
    /// Sets the property to what the row has at a position.
    @usableFromInline let read: @Sendable (RowReader, Int, inout E) throws -> Void
    /// Binds the property to the parameter at a position.
    @usableFromInline let bind: @Sendable (E, ParameterWriter, Int) throws -> Void
    /// Whether storing the property of one or the other makes no difference.
    @usableFromInline let areIdentical: @Sendable (E, E) -> Bool

    @inlinable
    init(
        read: @escaping @Sendable (RowReader, Int, inout E) throws -> Void,
        bind: @escaping @Sendable (E, ParameterWriter, Int) throws -> Void,
        areIdentical: @escaping @Sendable (E, E) -> Bool
    ) {
        self.read = read
        self.bind = bind
        self.areIdentical = areIdentical
    }
}
