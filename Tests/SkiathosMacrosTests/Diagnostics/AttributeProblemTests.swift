#if Macros
import MacroRequests
import Testing

@Suite struct AttributeProblemTests {
    @Test(arguments: [
        ("Unique", "@Unique"), ("Indexed", "@Indexed"),
        ("References", "@References(onDelete: .deny)"),
    ])
    func `computed and static properties have no columns`(name: String, attribute: String) {
        for (kind, property) in [("computed", "var x: Int { 1 }"), ("static", "static let x = 1")] {
            expectProblems(
                in: "@Entity struct User {\n    \(attribute) \(property)\n}",
                [
                    .problem(
                        2, 5,
                        "@\(name) expects a stored property; this one is \(kind) and has no column. Remove the attribute.",
                        fixIts: ["remove '\(attribute)'"])
                ], gives: "@Entity struct User {\n    \(property)\n}")
        }
    }

    @Test func `a property that is not stored anyway cannot be transient`() {
        expectProblems(
            in: "@Entity struct User {\n    @Transient var x: Int { 1 }\n}",
            [
                .problem(
                    2, 5,
                    "@Transient expects a stored property; it is not stored anyway. Remove the attribute.",
                    fixIts: ["remove '@Transient'"])
            ])
    }

    @Test(arguments: ["Unique", "Indexed", "Searchable", "Renamed"])
    func `a transient property has no column to ask for`(name: String) {
        expectProblems(
            in: "@Entity struct User { @Transient @\(name) var x = 1 }",
            [
                .problem(
                    1, 34,
                    "@\(name) asks something of the column of 'x', which @Transient says it does not have. Remove one of the two.",
                    fixIts: ["remove '@\(name)'"])
            ], gives: "@Entity struct User { @Transient var x = 1 }")
    }

    @Test func `a problem is reported once`() {
        expectProblems(
            in: "@Entity struct User { @Unique @Unique @Indexed @Indexed var x = 1 }",
            [duplicate(48, "Indexed"), duplicate(31, "Unique")])
        expectProblems(
            in:
                #"@Entity struct User { @Unique(with: "b") var a = 1; @Unique(with: "a") var b = 1 }"#,
            [duplicate(53, "Unique", #"@Unique(with: "a")"#)])
        expectProblems(
            in: #"@Entity struct User { @Unique @Unique(with: "b") var a = 1; var b = 1 }"#, [])
    }

    @Test func `the other columns of a unique key must exist`() {
        expectProblems(
            in:
                #"@Entity struct User { @Unique(with: "b", "a", "id", c, "t") var a = 1; @Transient var t = 1 }"#,
            [
                .problem(
                    1, 53,
                    "@Unique(with:) expects the names of other properties as string literals."),
                .problem(
                    1, 37,
                    "@Unique(with:) expects names of stored properties; 'User' has none named 'b'."),
                .problem(
                    1, 42,
                    "@Unique(with:) expects the names of other properties, each once; 'a' is in the key already. Remove it."
                ),
                .problem(
                    1, 47,
                    "The ID is unique alone, so any key that holds it is unique too. Remove it from @Unique(with:)."
                ),
                .problem(
                    1, 56,
                    "@Unique(with:) expects names of stored properties; 'User' has none named 't'."),
            ])
    }

    @Test(arguments: [
        ("var x: String?", "String"), ("var x = 0", "Int"),
        ("var x: [Company.ID] = []", "[Company.ID]"),
    ])
    func `a reference is the ID of an entity`(property: String, type: String) {
        expectProblems(
            in: "@Entity struct User {\n    @References(onDelete: .deny) \(property)\n}",
            [
                .problem(
                    2, 5,
                    "@References expects the ID of an entity, such as 'Company.ID?'; 'x' is of type '\(type)'. Change the type, or remove the attribute.",
                    fixIts: ["remove '@References(onDelete: .deny)'"])
            ])
    }

    @Test func `a reference that becomes nil is optional`() {
        expectProblems(
            in: "@Entity struct User { @References(onDelete: .nullify) var x: Company.ID = 1 }",
            [
                .problem(
                    1, 45,
                    "'x' becomes nil when its target is deleted, so it must be optional. Make it optional, or choose .cascade or .deny.",
                    fixIts: ["make it optional"])
            ],
            gives: "@Entity struct User { @References(onDelete: .nullify) var x: Company.ID? = 1 }")
    }

    @Test(arguments: ["Unique", "Indexed", "Transient", "Searchable", "Renamed"])
    func `attributes are noticed where they mean nothing`(name: String) {
        let nowhere =
            "@\(name) has a meaning only for the properties of a struct marked @Entity. Mark the struct, or remove the attribute."
        expectProblems(in: "struct User { @\(name) var x = 1 }", [.problem(1, 15, nowhere)])
        expectProblems(in: "@\(name) var x = 1", [.problem(1, 1, nowhere)])
        expectProblems(
            in: "@Entity struct User { @\(name) func f() {} }",
            [
                .problem(
                    1, 23,
                    "@\(name) belongs to a stored property of an entity. Remove it here.")
            ])
    }

    @Test func `all problems are reported at once`() {
        expectProblems(
            in:
                "@Entity struct User {\n    var a: String\n    var b = []\n    @Unique static let c = 1\n}",
            [
                needsDefault(2, 9, "a", #""""#), needsType(3, 9, "b"),
                .problem(
                    4, 5,
                    "@Unique expects a stored property; this one is static and has no column. Remove the attribute.",
                    fixIts: ["remove '@Unique'"]),
            ])
    }

    @Test func `a faulty entity still conforms, so that no other errors follow`() {
        let text = expansion(of: "@Entity struct User { var a: String; var b = [] }")
        #expect(text.contains("extension User: nonisolated Skiathos.Entity"))
        #expect(text.contains("let a = Skiathos.Column<User, String>(1,"))
        #expect(text.contains("Swift.fatalError()") && !text.contains("let b ="))
    }

    private func duplicate(
        _ column: Int, _ name: String, _ attribute: String? = nil
    ) -> Problem {
        .problem(
            1, column, "@\(name) says what another attribute has said already. Remove it.",
            fixIts: ["remove '\(attribute ?? "@\(name)")'"])
    }
}
#endif
