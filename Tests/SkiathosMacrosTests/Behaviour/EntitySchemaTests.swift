#if Macros
import Foundation
import Skiathos
import Testing

@Suite struct EntitySchemaTests {
    @Test func `the schema is that of a conformance written by hand`() {
        let byHand = EntitySchema(
            Company.self, table: "company", id: Coding.of(Company.ID.self),
            columns: [ColumnSchema("name", Coding.of(String.self))], unique: [["name"]])
        #expect(Company.schema == byHand)
    }

    @Test func `types become storage classes`() {
        let columns = Person.schema.columns
        func storage(_ name: String) -> StorageClass? {
            columns.first { $0.name == name }?.storage
        }
        #expect(storage("status") == .text && storage("level") == .integer)
        #expect(storage("address") == .text && storage("balance") == .decimal)
        #expect(storage("height") == .real && storage("row") == .integer)
        #expect(storage("photo") == .blob)
        #expect(columns.filter(\.isOptional).map(\.name).prefix(3) == ["email", "company", "boss"])
    }

    @Test func `keys and indexes are named by position`() {
        let names = Person.schema.columns.map(\.name)
        let unique = Person.schema.uniqueKeys.map { $0.map { names[$0] } }
        #expect(unique == [["email"], ["nick", "age", "email"]])
        #expect(Person.schema.indexedColumns.map { names[$0] } == ["age", "height"])
    }

    @Test func `references have their rule, and nullify by default`() {
        let rules = Person.schema.columns.compactMap(\.reference?.onDelete)
        #expect(rules == [.nullify, .cascade, .nullify])
        #expect(Zoo.Animal.schema.columns.compactMap(\.reference?.targetName).last == "Keeper")
    }

    @Test func `tables and keys are those asked for`() {
        #expect(Ticket.schema.table == "tickets" && Ticket.schema.columns[0].storage == .blob)
        #expect(Country.schema.table == "country" && Country.schema.columns[0].storage == .text)
        #expect(Person.schema.hasIntegerID)
        #expect(Lonely.schema.columns.count == 1)
    }

    @Test func `the entities make a store schema`() throws {
        let schema = try StoreSchema([Person.schema, Company.schema])
        #expect(schema.entities.map(\.table) == ["company", "person"])
    }
}
#endif
