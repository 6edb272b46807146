import Foundation
import SkiathosStore
import Testing

@testable import SkiathosSQLite

@Suite struct InvalidSchemaTests {
    private static let text = ColumnSchema("text", Coding.of(String.self))

    private static func entity(
        _ columns: [ColumnSchema] = [text], table: String = "user"
    ) -> EntitySchema {
        EntitySchema(User.self, table: table, id: Coding.of(Int64.self), columns: columns)
    }

    private static let cases: [(schema: [EntitySchema], reason: String)] = [
        ([], "without entities"),
        ([entity(), entity()], "same table"),
        (
            [
                entity(),
                EntitySchema(Tag.self, table: "USER", id: Coding.of(Int64.self), columns: []),
            ],
            "same table"
        ),
        ([entity(table: "")], "needs a name"),
        ([entity(table: "sqlite_user")], "does not begin with"),
        ([entity(table: "Skiathos_user")], "does not begin with"),
        ([entity(table: "us\0er")], "needs a name"),
        ([entity([text, ColumnSchema("TEXT", Coding.of(Int.self))])], "upper from lower"),
        ([entity([ColumnSchema("ID", Coding.of(Int.self))])], "upper from lower"),
        ([entity([ColumnSchema("", Coding.of(Int.self))])], "without a name"),
        (
            [EntitySchema(User.self, table: "user", id: Coding.of(Int64?.self), columns: [])],
            "cannot be optional"
        ),
        (
            [EntitySchema(User.self, table: "user", id: Coding.of(Double.self), columns: [])],
            "must be an integer"
        ),
        ([entity([ColumnSchema("company", Coding.of(Reference<Company>.self))])], "not among"),
        (
            [entity([ColumnSchema("boss", Coding.of(Reference<User>.self), onDelete: .nullify)])],
            "must be optional"
        ),
        (
            [entity([ColumnSchema("boss", Coding.of(Int64?.self), onDelete: .cascade)])],
            "refers to nothing"
        ),
    ]

    @Test(arguments: cases.indices)
    func `entities that cannot be kept are refused with the reason`(number: Int) throws {
        let (schema, reason) = Self.cases[number]
        let error = try storeError(.invalidSchema) { _ = try StoreSchema(schema) }
        #expect(error.message.contains(reason))
    }

    @Test func `entities that refer to themselves can be kept`() throws {
        let boss = ColumnSchema("boss", Coding.of(Reference<User>?.self), onDelete: .nullify)
        #expect(try StoreSchema([Self.entity([Self.text, boss])]).entities.count == 1)
    }
}
