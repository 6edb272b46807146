import SkiathosStore

@testable import SkiathosSQLite

enum Person {}
enum Legacy {}
enum Mark {}

/// Three generations of one program's schema, with everything that can change between two.
enum Generation: Int, CaseIterable {
    case first = 1
    case second, third

    var entities: [EntitySchema] {
        switch self {
        case .first: [company1, person1, legacy, tag1]
        case .second: [company2, person2, legacy, tag2]
        case .third: [company2, person3, mark, tag3]
        }
    }

    /// The steps that a program of this generation knows.
    var steps: [StoreMigration] {
        switch self {
        case .first: []
        case .second: [Self.lowerNames]
        case .third: [Self.lowerNames, Self.splitNames, Self.fillNotes, Self.makeMarks]
        }
    }

    private var company1: EntitySchema {
        EntitySchema(
            Company.self, table: "company", id: Coding.of(Int64.self),
            columns: [ColumnSchema("name", Coding.of(String.self))], unique: [["name"]],
            indexed: [])
    }

    /// A required column is new.
    private var company2: EntitySchema {
        EntitySchema(
            Company.self, table: "company", id: Coding.of(Int64.self),
            columns: [
                column("city", Coding.of(String.self), default: .text("it's \"new\"")),
                ColumnSchema("name", Coding.of(String.self)),
            ], unique: [["name"]])
    }

    private var person1: EntitySchema {
        EntitySchema(
            Person.self, table: "person", id: Coding.of(Int64.self),
            columns: [
                ColumnSchema("name", Coding.of(String.self)),
                ColumnSchema("age", Coding.of(String.self)),
                ColumnSchema("nick", Coding.of(String?.self)),
                ColumnSchema("company", Coding.of(Reference<Company>?.self)),
                ColumnSchema("boss", Coding.of(Reference<Person>?.self)),
            ], unique: [["name", "age"]], indexed: ["age"], searchable: ["name"])
    }

    /// Renamed, with a renamed column that is searched, another delete rule, other indexes and a
    /// new unique column.
    private var person2: EntitySchema {
        EntitySchema(
            Person.self, table: "user", id: Coding.of(Int64.self),
            columns: [
                ColumnSchema("fullname", Coding.of(String.self), renamedFrom: ["title", "name"]),
                ColumnSchema("email", Coding.of(String?.self)),
                ColumnSchema("age", Coding.of(String.self)),
                ColumnSchema("nick", Coding.of(String?.self)),
                ColumnSchema(
                    "company", Coding.of(Reference<Company>?.self), onDelete: .cascade),
                ColumnSchema("boss", Coding.of(Reference<Person>?.self)),
            ], unique: [["email"]], indexed: ["nick"], searchable: ["fullname"],
            renamedFrom: ["human", "person"])
    }

    /// A column has become two, one has another type, and two are gone.
    private var person3: EntitySchema {
        EntitySchema(
            Person.self, table: "user", id: Coding.of(Int64.self),
            columns: [
                column("firstname", Coding.of(String.self), default: .text("")),
                column("lastname", Coding.of(String.self), default: .text("")),
                ColumnSchema("email", Coding.of(String?.self)),
                ColumnSchema("age", Coding.of(Int.self)),
                ColumnSchema(
                    "company", Coding.of(Reference<Company>?.self), onDelete: .cascade),
                ColumnSchema("boss", Coding.of(Reference<Person>?.self)),
            ], unique: [["email"]], indexed: ["age"], searchable: ["lastname", "firstname"],
            renamedFrom: ["person"])
    }

    private var legacy: EntitySchema {
        EntitySchema(
            Legacy.self, table: "legacy", id: Coding.of(Int64.self),
            columns: [ColumnSchema("label", Coding.of(String.self))])
    }

    private var mark: EntitySchema {
        EntitySchema(
            Mark.self, table: "mark", id: Coding.of(Int64.self),
            columns: [column("text", Coding.of(String.self), default: .text(""))],
            searchable: ["text"])
    }

    /// A table without row IDs.
    private var tag1: EntitySchema {
        EntitySchema(
            Tag.self, table: "tag", id: Coding.of(String.self),
            columns: [ColumnSchema("note", Coding.of(String?.self))], unique: [["note"]])
    }

    private var tag2: EntitySchema {
        EntitySchema(
            Tag.self, table: "tag", id: Coding.of(String.self),
            columns: [
                ColumnSchema("note", Coding.of(String?.self)),
                column("weight", Coding.of(Double.self), default: .real(1.5)),
            ], indexed: ["weight"])
    }

    /// A column has become required.
    private var tag3: EntitySchema {
        EntitySchema(
            Tag.self, table: "tag", id: Coding.of(String.self),
            columns: [
                ColumnSchema("note", Coding.of(String.self)),
                column("weight", Coding.of(Double.self), default: .real(1.5)),
            ], indexed: ["weight"])
    }

    private func column<C: ColumnCoding>(
        _ name: String, _ coding: C.Type, default value: StoreValue
    ) -> ColumnSchema {
        var column = ColumnSchema(name, coding)
        column.defaultValue = value
        return column
    }
}

extension Generation {
    private static let lowerNames = StoreMigration("lower nicks") { session in
        _ = try session.execute("UPDATE \"user\" SET \"email\" = \"nick\" || ?", [.text("@x.org")])
    }

    private static let splitNames = StoreMigration(
        "split names", drops: ["user.fullname", "user.name", "user.nick"], converts: ["user.age"]
    ) { session in
        let position = session.schema.position(of: Person.self) ?? 0
        try session.transform(from: nil, into: position, completing: unchanged) { old, _ in
            // Who comes from the first generation has another name for it.
            let name = old.storedValue(of: "fullname") ?? old.storedValue(of: "name")
            guard case .text(let text)? = name, case .text(let age)? = old.storedValue(of: "age")
            else { throw StoreError(.migrationFailed, "There is no name or age.") }
            let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
            return made([
                old.storedValue(of: "id") ?? .null, .text(parts[0]),
                .text(parts.count > 1 ? parts[1] : ""), old.storedValue(of: "email") ?? .null,
                .integer(Int64(age) ?? 0), old.storedValue(of: "company") ?? .null,
                old.storedValue(of: "boss") ?? .null,
            ])
        }
    }

    /// A row of which a step has changed every column.
    private static func made(_ values: [StoreValue]) -> TransformedRow {
        TransformedRow(values, changed: ColumnSet(first: values.count).subtracting([0]))
    }

    /// A row that a step leaves as it is.
    private static func unchanged(_ present: [StoreValue?]) -> TransformedRow {
        TransformedRow(present.map { $0 ?? .null }, changed: ColumnSet())
    }

    private static let fillNotes = StoreMigration("fill notes") { session in
        _ = try session.execute("UPDATE \"tag\" SET \"note\" = '' WHERE \"note\" IS NULL", [])
    }

    private static let makeMarks = StoreMigration("make marks", drops: ["legacy"]) { session in
        let position = session.schema.position(of: Mark.self) ?? 0
        try session.transform(from: "legacy", into: position, completing: unchanged) { old, _ in
            made([old.storedValue(of: "id") ?? .null, old.storedValue(of: "label") ?? .null])
        }
    }

    /// The triggers, views and virtual tables among what users make for themselves.
    static let usersObjects: Set<String> = ["ages", "renamed", "own"]

    /// How a store of the first generation is filled.
    static func rows(people: Int) -> [String] {
        [
            "INSERT INTO company VALUES (1, 'Acme'), (2, 'Umbrella')",
            """
            WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(people))
            INSERT INTO person (id, name, age, nick, company, boss)
            SELECT i * 3, 'Née' || i || ' of Århus ' || (i % 7), '' || (i % 90),
                CASE WHEN i % 2 THEN 'n' || i END, 1 + i % 2, CASE WHEN i > 1 THEN (i / 2) * 3 END FROM n
            """,
            "INSERT INTO legacy VALUES (4, 'four'), (9, 'nine')",
            "INSERT INTO tag VALUES ('a', NULL), ('b', 'bee')",
            "UPDATE skiathos_sequence SET highest = 5000 WHERE entity = 'person'",
            // What users make for themselves.
            "CREATE VIEW ages AS SELECT id, age FROM person",
            "CREATE INDEX mine ON person (age, id)",
            "CREATE UNIQUE INDEX mine_too ON person (company, id) WHERE company IS NOT NULL",
            """
            CREATE TRIGGER renamed AFTER UPDATE OF age ON person
            BEGIN UPDATE company SET name = name WHERE id = new.company; END
            """,
            "CREATE VIRTUAL TABLE own USING fts5(t)", "INSERT INTO own VALUES ('words')",
        ]
    }
}
