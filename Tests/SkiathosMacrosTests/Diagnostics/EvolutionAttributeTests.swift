#if Macros
import MacroRequests
import Testing

@Suite struct EvolutionAttributeTests {
    @Test func `former names and searchable columns are in the schema`() {
        let text = expansion(
            of: """
                @Entity(table: "u", renamedFrom: "person", "human") struct User {
                    @Searchable @Renamed(from: "surname", "last \\"name\\"") var lastname = ""
                    @Searchable var note: String?
                    var age = 0
                }
                """)
        #expect(text.contains(#"table: "u","#))
        #expect(text.contains(#"searchable: ["lastname", "note"],"#))
        #expect(text.contains(#"renamedFrom: ["person", "human"])"#))
        #expect(text.contains(#"renamedFrom: ["surname", "#))
        #expect(text.contains(#"ColumnSchema("age", Skiathos.Coding.of(Swift.Int.self))"#))
    }

    @Test(arguments: [
        ("var x = 0", "Int"), ("var x: [String] = []", "[String]"), ("var x: Data?", "Data?"),
    ])
    func `only text can be searched`(property: String, type: String) {
        expectProblems(
            in: "@Entity struct User {\n    @Searchable \(property)\n}",
            [
                .problem(
                    2, 5,
                    "@Searchable expects text, 'String' or 'String?'; 'x' is of type '\(type)'. Change the type, or remove the attribute.",
                    fixIts: ["remove '@Searchable'"])
            ], gives: "@Entity struct User {\n    \(property)\n}")
    }

    @Test(arguments: ["Int64", "UUID", "String"])
    func `texts are searched whatever the IDs are`(id: String) {
        expectProblems(
            in: "@Entity(id: \(id).self) struct User { @Searchable var x = \"\" }", [])
    }

    @Test func `former names are literals, and not the present one`() {
        expectProblems(
            in:
                #"@Entity struct User { @Renamed(from: "x", "a", "a", name) var x = 0 }"#,
            [
                .problem(
                    1, 38,
                    "@Renamed(from:) expects names that 'x' had before, each once and not its present one or 'id'; found 'x'. Remove it."
                ),
                .problem(
                    1, 48,
                    "@Renamed(from:) expects names that 'x' had before, each once and not its present one or 'id'; found 'a'. Remove it."
                ),
                .problem(
                    1, 53,
                    "@Renamed(from:) expects string literals without interpolation, since the names must be known when the code is compiled."
                ),
            ])
    }

    @Test func `former tables are literals that a table can be called`() {
        expectProblems(
            in: #"@Entity(renamedFrom: "skiathos_x", name) struct User { var x = 0 }"#,
            [
                .problem(
                    1, 22,
                    "The name of a table must not be empty or begin with sqlite_ or skiathos_; found \"skiathos_x\". Choose another name."
                ),
                .problem(
                    1, 36,
                    "@Entity(renamedFrom:) expects string literals without interpolation, since the names must be known when the code is compiled."
                ),
            ])
    }
}
#endif
