/// The schema of a store as it is written into the store, in JSON that people and tools can read.
///
/// ```json
/// {"entities": [{"name": "user", "unique": [["email"]], "properties": [
///     {"name": "id", "type": {"kind": "integer", "range": [-9223372036854775808, 9223372036854775807]}},
///     {"name": "email", "type": {"kind": "text"}, "optional": true},
///     {"name": "company", "type": {"kind": "integer", …}, "optional": true,
///      "references": "company", "onDelete": "nullify"}]}]}
/// ```
///
/// It never holds the name of a Swift type, so renaming a type changes nothing.
package struct StoreLayout: Codable, Hashable, Sendable {
    /// An entity, by the name of its table.
    package struct Entity: Codable, Hashable, Sendable {
        package var name: String
        /// The names that the table had before; not part of the identity.
        package var formerly: [String]?
        /// The properties, in the order of their declarations.
        package var properties: [Property]
        /// The sets of properties whose values together are unique, beside the ID.
        package var unique: [[String]]?
    }

    /// A property, by the name of its column.
    package struct Property: Codable, Hashable, Sendable {
        package var name: String
        /// The names that the column had before; not part of the identity.
        package var formerly: [String]?
        package var type: ValueKind
        package var optional: Bool?
        /// The default of a new value, but for dates and UUIDs, which are mostly new each time; not
        /// part of the identity.
        package var `default`: LayoutValue?
        package var indexed: Bool?
        package var searched: Bool?
        /// The table that a reference leads to.
        package var references: String?
        package var onDelete: String?
    }

    /// The entities, in the order of their names.
    package var entities: [Entity]

    /// Describes a schema.
    package init(_ schema: StoreSchema) {
        entities = schema.entities.map { Entity($0, in: schema) }.sorted { $0.name < $1.name }
    }

    /// Reads what ``text`` has written; `nil` for anything else.
    package init?(text: String) {
        let coding = JSONCoding<StoreLayout>.self
        guard let layout = try? ValueRow([.text(text)]).read({ try coding.read($0, 0) }) else {
            return nil
        }
        self = layout
    }

    /// The layout as JSON.
    package var text: String {
        get throws { String(decoding: try JSONCoding<StoreLayout>.bytes(of: self), as: UTF8.self) }
    }

    /// A text that is equal for layouts with the same properties, in any order, and differs for others.
    package var fingerprint: String {
        get throws {
            String(Fingerprint.hash(try reduced(keepingIndexes: true).text), radix: 16)
        }
    }

    /// Whether another layout promises the same of all rows; indexes that are not unique promise nothing.
    package func promisesSame(as other: StoreLayout) -> Bool {
        reduced(keepingIndexes: false) == other.reduced(keepingIndexes: false)
    }

    private func reduced(keepingIndexes: Bool) -> StoreLayout {
        var layout = self
        for entity in layout.entities.indices {
            layout.entities[entity].formerly = nil
            let properties = layout.entities[entity].properties.map { property in
                var property = property
                property.formerly = nil
                property.default = nil
                if !keepingIndexes { property.indexed = nil }
                return property
            }
            layout.entities[entity].properties = properties.sorted { $0.name < $1.name }
            layout.entities[entity].unique?.sort { $0.lexicographicallyPrecedes($1) }
        }
        layout.entities.sort { $0.name < $1.name }
        return layout
    }

    /// The entity of a table.
    package func entity(_ table: String) -> Entity? { entities.first { $0.name == table } }
}

extension StoreLayout.Entity {
    fileprivate init(_ entity: EntitySchema, in schema: StoreSchema) {
        name = entity.table
        formerly = entity.formerTables.isEmpty ? nil : entity.formerTables
        properties = entity.columns.indices.map { .init($0, of: entity, in: schema) }
        let keys = entity.uniqueKeys.filter { $0 != [0] }
            .map { $0.map { entity.columns[$0].name } }
        unique = keys.isEmpty ? nil : keys
    }

    /// The property of a column.
    package func property(_ column: String) -> StoreLayout.Property? {
        properties.first { $0.name == column }
    }
}

extension StoreLayout.Property {
    fileprivate init(_ position: Int, of entity: EntitySchema, in schema: StoreSchema) {
        let column = entity.columns[position]
        name = column.name
        formerly = column.formerNames.isEmpty ? nil : column.formerNames
        type = column.kind
        if column.isOptional { optional = true }
        if ![.date, .uuid].contains(type.kind) {
            `default` = column.defaultValue.flatMap(LayoutValue.init)
        }
        if entity.indexedColumns.contains(position) { indexed = true }
        if entity.searchable.contains(position) { searched = true }
        if let reference = column.reference {
            references = schema.target(of: reference).map { schema.entities[$0].table }
            onDelete = reference.onDelete.rawValue
        }
    }
}
