import Skiathos
import SkiathosTesting
import TestSupport
import Testing

/// A table that contradicts itself never becomes a store.
@Suite(.generousTimeLimit) struct WrongTableTests {
    private static let cases: [(table: any WrongTable.Type, reason: String, columns: [String])] = [
        (OneProperty.self, "have the same property", ["text", "copy"]),
        (OneName.self, "upper from lower case", ["text", "TEXT"]),
        (ListedID.self, "the property of the ID", ["key"]),
        (NamedID.self, "upper from lower case", ["id", "id"]),
        (UnknownPartner.self, "no column beside the ID", ["text"]),
        (PartnerID.self, "no column beside the ID", ["text"]),
        (OwnPartner.self, "more than once", ["text"]),
        (Copy.self, "would hold a copy of Held", ["held"]),
        (OptionalCopies.self, "would hold a copy of Held", ["copies"]),
        (RuleWithoutReference.self, "refers to nothing", ["text"]),
        (SearchedNumber.self, "not as text", ["number"]),
        (NoName.self, "needs a name", []),
    ]

    @Test(arguments: cases.indices)
    func `opening a store refuses a wrong table with the reason`(number: Int) async throws {
        let (table, reason, columns) = Self.cases[number]
        let error = await #expect(throws: StoreError.self) {
            try await withStore(.inMemory, entities: [table.entity, Held.self]) { _ in }
        }
        #expect(error?.code == .invalidSchema)
        #expect(error?.message.contains(reason) == true, "\(String(describing: error))")
        #expect(error?.columns == columns)
    }

    @Test func `the same attribute twice is one`() async throws {
        #expect(Listed<Twice>.schema.uniqueKeys == [[1], [1, 2]])
        #expect(Listed<Twice>.schema.indexedColumns == [1])
        try await withStore(.inMemory, entities: [Twice.entity]) { _ in }
    }

    @Test func `a query that asks for a property without a column traps with its name`()
        async throws
    {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try await withHarbour { dal in
                _ = try await dal.read { try Ship.count(where: { $0.changesOfPlan > 1 }, in: $0) }
            }
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("Ship.changesOfPlan has no column in the table of Ship"), "\(text)")
    }
}

/// A table with a mistake.
private protocol WrongTable: Sendable {
    static var table: EntityTable<Listed<Self>> { get }
}

extension WrongTable {
    fileprivate static var entity: any Entity.Type { Listed<Self>.self }
}

/// An entity of a table that a test chooses.
private struct Listed<T: WrongTable>: Sendable {
    var id: EntityID<Listed> = .unassigned
    var text = ""
    var other = ""
    var number = 0
    var held = Held()
    var copies: [Held]?
}

extension Listed: TableEntity {
    init(id: EntityID<Listed>) { self.id = id }

    static var table: EntityTable<Listed> { T.table }
}

/// An entity that could be stored as JSON.
private struct Held: Codable, Sendable {
    var id: EntityID<Held> = .unassigned
    var text = ""
}

extension Held: TableEntity {
    init(id: Held.ID) { self.id = id }

    static let table = EntityTable("held", id: \Held.id) {
        EntityColumn("text", \.text)
    }
}

private enum OneProperty: WrongTable {
    static let table = EntityTable("wrong", id: \Listed<Self>.id) {
        EntityColumn("text", \.text)
        EntityColumn("copy", \.text)
    }
}

private enum OneName: WrongTable {
    static let table = EntityTable("wrong", id: \Listed<Self>.id) {
        EntityColumn("text", \.text)
        EntityColumn("TEXT", \.other)
    }
}

private enum ListedID: WrongTable {
    static let table = EntityTable("wrong", id: \Listed<Self>.id) {
        EntityColumn("key", \.id)
    }
}

private enum NamedID: WrongTable {
    static let table = EntityTable("wrong", id: \Listed<Self>.id) {
        EntityColumn("id", \.text)
    }
}

private enum UnknownPartner: WrongTable {
    static let table = EntityTable("wrong", id: \Listed<Self>.id) {
        EntityColumn("text", \.text, .unique(with: \.other))
    }
}

private enum PartnerID: WrongTable {
    static let table = EntityTable("wrong", id: \Listed<Self>.id) {
        EntityColumn("text", \.text, .unique(with: \.id))
    }
}

private enum OwnPartner: WrongTable {
    static let table = EntityTable("wrong", id: \Listed<Self>.id) {
        EntityColumn("text", \.text, .unique(with: \.text))
    }
}

private enum Copy: WrongTable {
    static let table = EntityTable("wrong", id: \Listed<Self>.id) {
        EntityColumn("held", \.held)
    }
}

private enum OptionalCopies: WrongTable {
    static let table = EntityTable("wrong", id: \Listed<Self>.id) {
        EntityColumn("copies", \.copies)
    }
}

private enum RuleWithoutReference: WrongTable {
    static let table = EntityTable("wrong", id: \Listed<Self>.id) {
        EntityColumn("text", \.text, .references(onDelete: .cascade))
    }
}

private enum SearchedNumber: WrongTable {
    static let table = EntityTable("wrong", id: \Listed<Self>.id) {
        EntityColumn("number", \.number, .searchable)
    }
}

private enum NoName: WrongTable {
    static let table = EntityTable("", id: \Listed<Self>.id) {
        EntityColumn("text", \.text)
    }
}

private enum Twice: WrongTable {
    static let table = EntityTable("twice", id: \Listed<Self>.id) {
        EntityColumn("text", \.text, .unique, .unique, .indexed, .indexed, .unique(with: \.other))
        EntityColumn("other", \.other, .unique(with: \.text))
    }
}
