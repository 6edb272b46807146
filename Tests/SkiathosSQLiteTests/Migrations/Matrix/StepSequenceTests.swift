import SkiathosStore
import Testing

@testable import SkiathosCore
@testable import SkiathosSQLite

private enum Before: Shape {
    static let form = Form(
        table: "person",
        columns: [
            .init("name", .text), .init("age", .text, .text("0")), .init("nick", .optionalText),
            .init("mood", .text, .text("calm")), .init("code", .integer, .integer(0)),
            .init("boss", .reference(Sample<Before>.self, isText: false)),
        ], unique: [["code"]])
}

/// One column converted, one that may be empty, one whose texts are others, one new.
private enum After: Shape {
    static let form = Form(
        table: "person",
        columns: [
            .init("name", .text, .text("?")), .init("age", .integer, .integer(-1)),
            .init("nick", .text, .text("none")),
            .init("mood", .choice(["calm", "busy"]), .text("calm")),
            .init("code", .integer, .integer(0)), .init("note", .optionalText, .text("new")),
            .init("boss", .reference(Sample<After>.self, isText: false)),
        ], unique: [["code"]])
}

private enum Tall: Shape {
    static let form = Form(table: "tower", columns: [.init("height", .text, .text(""))])
}

private enum Measured: Shape {
    static let form = Form(
        table: "tower",
        columns: [
            .init("height", .optionalInteger, .integer(5)), .init("name", .text, .text("")),
        ])
}

/// The same tower under other names, and of another type.
private enum Renamed: Shape {
    static let form = Form(
        table: "building",
        columns: [.init("metres", .integer, .integer(0), was: ["height"])], was: ["tower"])
}

private enum Flat: Shape {
    static let form = Form(table: "tower", columns: [.init("floors", .integer, .integer(0))])
}

private enum Copy: Shape {
    static let form = Form(
        table: "copy",
        columns: [
            .init("age", .integer, .integer(-5)), .init("name", .text, .text("")),
            .init("more", .optionalText),
        ])
}

private typealias Visitor = Sample<After>

/// Several steps of one opening for one entity, as users write them.
@Suite struct StepSequenceTests {
    private func migrated(
        _ steps: Migration..., to entities: [any Entity.Type] = [Visitor.self],
        rows: [String] = [
            "(1, 'Ada', '36', NULL, 'busy', 1, NULL)", "(2, 'Bo', '7', 'b', 'busy', 2, 1)",
            "(3, 'Cy', 'x', NULL, 'calm', 3, 3)",
        ]
    ) throws -> MigrationHarness {
        let harness = try MigrationHarness()
        try harness.open([Sample<Before>.schemaWithDefaults])
        try harness.execute(rows.map { "INSERT INTO person VALUES \($0)" })
        try harness.open(
            harness.opener(
                entities.map { $0.schemaWithDefaults },
                StoreOptions(migrations: steps.map(\.storeMigration))))
        return harness
    }

    private func values(_ column: String, _ harness: MigrationHarness) throws -> [String] {
        try harness.strings("SELECT coalesce(\(column), 'nil') FROM person ORDER BY id")
    }

    private static let ages = Migration("ages", converts: ["person.age"]) { step in
        try step.transform(Visitor.self) { old, person in
            person["age"] = .integer(Int64(try old["age", as: String.self]) ?? -2)
        }
    }

    private static let names = Migration("names") { step in
        try step.transform(Visitor.self) { old, person in
            person["name"] = .text(try old["name", as: String.self].uppercased())
        }
    }

    @Test func `a step about another column keeps what an earlier step has converted`() throws {
        for steps in [[Self.ages, Self.names], [Self.names, Self.ages]] {
            let harness = try migrated(steps[0], steps[1])
            #expect(try values("age", harness) == ["36", "7", "-2"])
            #expect(try values("name", harness) == ["ADA", "BO", "CY"])
        }
    }

    @Test func `a second transform of a step starts from what the first has made`() throws {
        let harness = try migrated(
            Migration("twice", converts: ["person.age"]) { step in
                try step.transform(Visitor.self) { old, person in
                    person["age"] = .integer(Int64(try old["age", as: String.self]) ?? -2)
                }
                try step.transform(Visitor.self) { _, person in
                    if case .integer(let age)? = person["age"] { person["age"] = .integer(age + 1) }
                }
            })
        #expect(try values("age", harness) == ["37", "8", "-1"])
    }

    @Test func `a step keeps what an earlier one has converted in SQL`() throws {
        let harness = try migrated(
            Migration("sql", converts: ["person.age"]) { step in
                try step.execute("UPDATE person SET skiathos_new_age = id * 10")
            }, Self.names)
        #expect(try values("age", harness) == ["10", "20", "30"])
    }

    @Test func `a text that is no case any more reaches the step that is about it`() throws {
        let harness = try migrated(
            Self.ages, Self.names,
            Migration("moods") { step in
                try step.transform(Visitor.self) { old, person in
                    let mood = try old["mood", as: String.self]
                    if mood == "wild" { person["mood"] = .text("busy") }
                }
            }, rows: Self.wildRows)
        #expect(try values("mood", harness) == ["busy", "busy", "calm"])
    }

    private static let wildRows = [
        "(1, 'Ada', '36', NULL, 'wild', 1, NULL)", "(2, 'Bo', '7', 'b', 'busy', 2, 1)",
        "(3, 'Cy', 'x', NULL, 'calm', 3, 3)",
    ]

    @Test func `a text that is no case any more, and that no step changes, is not replaced`() throws
    {
        let error = try storeError(.migrationFailed) {
            _ = try migrated(Self.ages, Self.names, rows: Self.wildRows)
        }
        #expect(
            error.message.contains(#"1 rows of "person" (IDs: 1) hold a value of "mood""#),
            "\(error.message)")
    }

    @Test func `a missing value is replaced by the default once all steps are done`() throws {
        let harness = try migrated(Self.ages, Self.names)
        #expect(try values("mood", harness) == ["busy", "busy", "calm"])
        #expect(try values("nick", harness) == ["none", "b", "none"])
        #expect(try values("note", harness) == ["nil", "nil", "nil"])
        #expect(try values("boss", harness) == ["nil", "1", "3"])
    }

    @Test func `an empty value that a step has given stays empty`() throws {
        let harness = try MigrationHarness()
        try harness.open([Sample<Tall>.schemaWithDefaults])
        try harness.execute(["INSERT INTO tower VALUES (1, 'none'), (2, '52')"])
        let heights = Migration("heights", converts: ["tower.height"]) { step in
            try step.transform(Sample<Measured>.self) { old, tower in
                let height = try old["height", as: String.self]
                tower["height"] = Int64(height).map { .integer($0) } ?? .null
            }
        }
        let names = Migration("names") { step in
            try step.transform(Sample<Measured>.self) { _, tower in tower["name"] = .text("a") }
        }
        let steps = [heights, names].map(\.storeMigration)
        try harness.open([Sample<Measured>.schemaWithDefaults], steps)
        #expect(
            try harness.strings("SELECT coalesce(height, 'nil') || name FROM tower ORDER BY id")
                == ["nila", "52a"])
    }

    @Test func `rows that the converting step forgets are counted, whatever other steps do`() throws
    {
        let half = Migration("half", converts: ["person.age"]) { step in
            try step.execute("UPDATE person SET skiathos_new_age = 1 WHERE id = 1")
        }
        for steps in [[half, Self.names], [Self.names, half]] {
            let error = try storeError(.migrationFailed) { _ = try migrated(steps[0], steps[1]) }
            #expect(error.message.contains(#"2 rows of "person" were given no new "age""#))
        }
    }

    @Test func `unique values may pass through each other`() throws {
        let harness = try migrated(
            Self.ages,
            Migration("codes") { step in
                try step.transform(Visitor.self) { _, person in
                    if case .integer(let code)? = person["code"] {
                        person["code"] = .integer(4 - code)
                    }
                }
            })
        #expect(try values("code", harness) == ["3", "2", "1"])
        let error = try storeError(.migrationFailed) {
            _ = try migrated(
                Self.ages,
                Migration("same") { step in
                    try step.transform(Visitor.self) { _, person in person["code"] = .integer(7) }
                })
        }
        #expect(error.message.contains(#"1 values of "code""#))
    }

    @Test func `rows can come from another table while columns are converted and given up`() throws
    {
        let harness = try migrated(
            Migration("guests", drops: ["guest"]) { step in
                try step.execute("CREATE TABLE guest (id INTEGER PRIMARY KEY, who TEXT) STRICT")
                try step.execute("INSERT INTO guest VALUES (10, 'Guest'), (11, 'Gast')")
                try step.transform(Visitor.self, from: "guest") { old, person in
                    person["name"] = .text(try old["who", as: String.self])
                    person["age"] = .integer(50)
                    person["code"] = .integer(person.id.rawValue)
                }
            }, Self.ages)
        #expect(try values("age", harness) == ["36", "7", "-2", "50", "50"])
        #expect(try values("name", harness) == ["Ada", "Bo", "Cy", "Guest", "Gast"])
    }

    @Test func `an entity that is split from another starts from what was converted`() throws {
        let harness = try migrated(
            Self.ages,
            Migration("copies") { step in
                try step.transform(Sample<Copy>.self, from: "person") { _, _ in }
            },
            Migration("more") { step in
                try step.transform(Sample<Copy>.self) { _, copy in copy["more"] = .text("more") }
            }, to: [Visitor.self, Sample<Copy>.self])
        #expect(
            try harness.strings("SELECT age || more || name FROM copy ORDER BY id")
                == ["36moreAda", "7moreBo", "-2moreCy"])
    }

    @Test func `a column is renamed and converted in one opening`() throws {
        let harness = try MigrationHarness()
        try harness.open([Sample<Tall>.schemaWithDefaults])
        try harness.execute(["INSERT INTO tower VALUES (1, '10'), (2, '52')"])
        let metres = Migration("metres", converts: ["building.metres"]) { step in
            try step.transform(Sample<Renamed>.self) { old, tower in
                tower["metres"] = .integer(Int64(try old["metres", as: String.self]) ?? -1)
            }
        }
        let double = Migration("double") { step in
            try step.transform(Sample<Renamed>.self) { old, tower in
                if case .integer(let metres)? = tower["metres"] {
                    tower["metres"] = .integer(metres * 2)
                }
                let former = try old["metres", as: String.self]
                #expect(former.count == 2)
            }
        }
        let steps = [metres, double].map(\.storeMigration)
        try harness.open([Sample<Renamed>.schemaWithDefaults], steps)
        #expect(try harness.strings("SELECT metres FROM building ORDER BY id") == ["20", "104"])
    }

    @Test func `a step may convert a column that a later one gives up`() throws {
        let harness = try MigrationHarness()
        try harness.open([Sample<Tall>.schemaWithDefaults])
        try harness.execute(["INSERT INTO tower VALUES (1, '10'), (2, '52')"])
        let heights = Migration("heights", converts: ["tower.height"]) { step in
            try step.transform(Sample<Flat>.self) { old, tower in
                tower["height"] = .integer(Int64(try old["height", as: String.self]) ?? -1)
                #expect(tower["height"] == nil)
            }
        }
        let floors = Migration("floors", drops: ["tower.height"]) { step in
            guard try step.hasColumn("height", of: "tower") else { return }
            try step.transform(Sample<Flat>.self) { old, tower in
                let height = try old["height", as: String.self]
                tower["floors"] = .integer((Int64(height) ?? 0) / 3)
            }
        }
        let steps = [heights, floors].map(\.storeMigration)
        try harness.open([Sample<Flat>.schemaWithDefaults], steps)
        #expect(try harness.strings("SELECT floors FROM tower ORDER BY id") == ["3", "17"])
    }

    @Test func `large tables are transformed page by page, and their progress is reported`() throws
    {
        let harness = try MigrationHarness()
        try harness.open([Sample<Before>.schemaWithDefaults])
        try harness.execute([
            """
            WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 600)
            INSERT INTO person SELECT i, 'n' || i, i, NULL, iif(i % 2, 'calm', 'busy'), i, i FROM n
            """
        ])
        let log = ProgressLog()
        let codes = Migration("codes") { step in
            try step.transform(Visitor.self) { _, person in
                if case .integer(let code)? = person["code"] {
                    person["code"] = .integer(601 - code)
                }
            }
        }
        try harness.open(
            harness.opener(
                [Visitor.schemaWithDefaults],
                StoreOptions(
                    migrations: [Self.ages, codes, Self.names].map(\.storeMigration),
                    migrationProgress: log.note)))
        #expect(
            try harness.strings(
                """
                SELECT count(*) FROM person WHERE age = id AND code = 601 - id AND name = 'N' || id
                AND mood = iif(id % 2, 'calm', 'busy') AND nick = 'none' AND boss = id
                """) == ["600"])
        let steps = log.all.filter { $0.step != "checking" }
        #expect(steps.map(\.rowsDone) == [256, 512, 600, 256, 512, 600, 256, 512, 600])
    }

    @Test func `a step can ask which tables and columns exist`() throws {
        _ = try migrated(
            Self.ages,
            Migration("questions") { step in
                #expect(try step.hasTable("person") && step.hasTable("PERSON"))
                #expect(try !step.hasTable("human") && !step.hasTable(""))
                #expect(try step.hasColumn("note", of: "person"))
                #expect(try step.hasColumn("Age", of: "Person"))
                #expect(try !step.hasColumn("email", of: "person"))
                #expect(try !step.hasColumn("name", of: "human"))
                try step.execute("CREATE TEMP VIEW seen AS SELECT id AS number FROM person")
                #expect(try step.hasColumn("number", of: "seen"))
                try step.execute("DROP VIEW seen")
                #expect(try !step.hasTable("seen"))
            })
    }
}
