import SkiathosStore

/// Short forms of entities for tests of single changes.
enum Made {
    static func user(
        _ columns: [ColumnSchema] = [text], table: String = "user", unique: [[String]] = [],
        indexed: [String] = [], searchable: [String] = [], renamedFrom: [String] = []
    ) -> EntitySchema {
        EntitySchema(
            User.self, table: table, id: Coding.of(Int64.self), columns: columns, unique: unique,
            indexed: indexed, searchable: searchable, renamedFrom: renamedFrom)
    }

    static func company(_ columns: [ColumnSchema] = [text]) -> EntitySchema {
        EntitySchema(Company.self, table: "company", id: Coding.of(Int64.self), columns: columns)
    }

    static let text = ColumnSchema("text", Coding.of(String.self))
    static let optionalText = ColumnSchema("text", Coding.of(String?.self))
    static let number = ColumnSchema("number", Coding.of(Int?.self))

    static func column<C: ColumnCoding>(
        _ name: String, _ coding: C.Type, default value: StoreValue? = nil,
        onDelete: ColumnSchema.DeleteRule? = nil, renamedFrom: [String] = []
    ) -> ColumnSchema {
        var column = ColumnSchema(name, coding, onDelete: onDelete, renamedFrom: renamedFrom)
        column.defaultValue = value
        return column
    }
}
