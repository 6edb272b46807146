#if Macros
import MacroRequests
import Testing

@Suite struct PropertyProblemTests {
    @Test(arguments: [
        ("String", #""""#), ("Int64", "0"), ("Double", "0"), ("Bool", "false"), ("[Int]", "[]"),
        ("[Int: Int]", "[:]"), ("Date", "Date()"), ("UUID", "UUID()"), ("Decimal", "0"),
    ])
    func `a property needs a default`(type: String, value: String) {
        expectProblems(
            in: "@Entity struct User { var x: \(type) }", [needsDefault(1, 27, "x", value)],
            gives: "@Entity struct User { var x: \(type) = \(value) }")
        expectProblems(
            in: "@Entity struct User { var x: \(type) }", [needsDefault(1, 27, "x", value)],
            applying: ["make it optional"], gives: "@Entity struct User { var x: \(type)? }")
    }

    @Test func `a default that cannot be guessed is a placeholder`() {
        expectProblems(
            in: "@Entity struct User { var x: Kind // why\n}",
            [needsDefault(1, 27, "x", "default", advice: Self.entity("Kind"))],
            gives: "@Entity struct User { var x: Kind = <#default#> // why\n}")
    }

    private static func entity(_ type: String) -> String {
        "Give it one, or make it optional. If '\(type)' is an entity, refer to it by its ID: 'var x: \(type).ID = .unassigned'."
    }

    @Test(arguments: ["Category", "Shop.Category"])
    func `a property whose type may be an entity is to hold its ID`(type: String) {
        expectProblems(
            in: "@Entity struct Product { var x: \(type) }",
            [needsDefault(1, 30, "x", "default", advice: Self.entity(type))])
    }

    @Test(arguments: ["Customer.ID", "Shop.Customer.ID", "EntityID<Customer, Int64>"])
    func `a reference that is always there begins unassigned`(type: String) {
        expectProblems(
            in: "@Entity struct Order { var x: \(type) }",
            [
                needsDefault(
                    1, 28, "x", ".unassigned",
                    advice:
                        "Write '= .unassigned' and set it before the write ends, or make it optional."
                )
            ],
            gives: "@Entity struct Order { var x: \(type) = .unassigned }")
    }

    @Test func `only the short spelling of an optional has a default`() {
        expectProblems(
            in: "@Entity struct User { var x: Optional<Int> }",
            [needsDefault(1, 27, "x", "nil", canBeOptional: false)])
        expectProblems(in: "@Entity struct User { var x: Int? }", [])
    }

    @Test func `a transient property needs a default too`() {
        expectProblems(
            in: "@Entity struct User { @Transient var x: Int }", [needsDefault(1, 38, "x", "0")])
    }

    @Test(arguments: [
        ("[]", nil), ("Kind.a", "Kind"), ("a + b", nil), ("nil", nil), (".a", nil),
        ("make()", nil), (#"URL(string: "a")!"#, "URL"), (#"Int("1")"#, "Int?"),
        ("Date.now", "Date"), ("Kind(rawValue: 1)", "Kind?"), ("[1, 2]", nil),
    ])
    func `a type that does not show is asked for`(value: String, type: String?) {
        expectProblems(
            in: "@Entity struct User { var x = \(value) }",
            [needsType(1, 27, "x", type ?? "type")],
            gives: "@Entity struct User { var x: \(type ?? "<#type#>") = \(value) }")
    }

    @Test(arguments: [
        "value", "isDeleted", "changedColumns", "delete", "discardChanges", "related",
    ])
    func `a column that a member of objects would hide is refused`(name: String) {
        expectProblems(
            in: "@Entity struct User { var \(name) = 0 }",
            [
                .problem(
                    1, 27,
                    "The objects of a write have a member '\(name)' of their own, which would hide this column. Give it another name."
                )
            ])
        expectProblems(in: "@Entity struct User { @Transient var \(name) = 0 }", [])
    }

    @Test func `a constant is refused`() {
        expectProblems(
            in: "@Entity struct User { let x = 1 }",
            [
                .problem(
                    1, 23,
                    "'x' is a constant, but the values of columns are read and changed. Make it a var, or mark it @Transient.",
                    fixIts: ["replace 'let' by 'var'"])
            ], gives: "@Entity struct User { var x = 1 }")
    }

    @Test(arguments: ["lazy", "weak", "unowned"])
    func `a property that is more than its value is refused`(modifier: String) {
        expectProblems(
            in: "@Entity struct User {\n    \(modifier) var x: Int? = 1\n}",
            [
                .problem(
                    2, 5,
                    "A column keeps a plain value; 'x' is \(modifier). Remove the modifier, or mark the property @Transient.",
                    fixIts: ["remove '\(modifier)'"])
            ], gives: "@Entity struct User {\n    var x: Int? = 1\n}")
    }

    @Test(arguments: ["Type", "Protocol", "self", "RawID", "Columns"])
    func `a column whose name is no part of a key path is refused`(name: String) {
        expectProblems(
            in: "@Entity struct User { var `\(name)` = 0 }",
            [
                .problem(
                    1, 27,
                    "'\(name)' means something else where key paths and types are read, so no column can have this name. Give it another name."
                )
            ])
        expectProblems(in: "@Entity struct User { @Transient var `\(name)` = 0 }", [])
    }

    @Test func `a property wrapper is refused`() {
        expectProblems(
            in: "@Entity struct User {\n    /// Shown.\n    @Published var x = 1\n}",
            [
                .problem(
                    3, 5,
                    "A column keeps a plain value; @Published may put something else in the place of 'x'. Remove it, or mark the property @Transient.",
                    fixIts: ["add '@Transient'"])
            ],
            gives: "@Entity struct User {\n    /// Shown.\n    @Transient @Published var x = 1\n}")
    }

    @Test(arguments: [
        ("(Int, Int)", "(Int, Int)", 30, "a tuple"), ("Void", "Void", 30, "a tuple"),
        ("() -> Int", "() -> Int", 30, "a function"),
        ("@Sendable () -> Int", "@Sendable () -> Int", 30, "a function"),
        ("Any", "Any", 30, "an existential type"), ("any P", "any P", 30, "an existential type"),
        ("some P", "some P", 30, "an opaque type"), ("P & Q", "P & Q", 30, "an existential type"),
        ("Int.Type", "Int.Type", 30, "a metatype"), ("[any P]", "any P", 31, "an existential type"),
        ("[String: Any]", "Any", 39, "an existential type"),
        ("Int??", "Int??", 30, "an optional of an optional"),
        ("Optional<Int>?", "Optional<Int>?", 30, "an optional of an optional"),
        ("inout Int", "inout Int", 30, "a type with specifiers"),
    ])
    func `a type that no column can keep is refused`(
        type: String, found: String, column: Int, reason: String
    ) {
        expectProblems(
            in: "@Entity struct User { var x: \(type) = y }",
            [cannotBeStored(column, found, reason)])
    }

    @Test func `an implicitly unwrapped optional is refused`() {
        expectProblems(
            in: "@Entity struct User { var x: Int! }",
            [
                cannotBeStored(
                    30, "Int!", "an implicitly unwrapped optional", fixIts: ["replace '!' by '?'"])
            ], gives: "@Entity struct User { var x: Int? }")
    }

    @Test func `a tuple of names is refused`() {
        expectProblems(
            in: "@Entity struct User { var (a, b) = (1, 2) }",
            [
                .problem(
                    1, 27,
                    "@Entity expects one name for each property; found a tuple. Declare the properties one by one."
                )
            ])
    }

    @Test func `a property in a condition is refused`() {
        expectProblems(
            in: "@Entity struct User {\n#if DEBUG\nvar x = 1\n#endif\n}",
            [
                .problem(
                    3, 5,
                    "@Entity cannot tell whether this property will be compiled, so it cannot be a column. Move it out of #if, or mark it @Transient."
                )
            ])
    }

    private func cannotBeStored(
        _ column: Int, _ found: String, _ reason: String, fixIts: [String] = []
    ) -> Problem {
        .problem(
            1, column,
            "'x' cannot be stored in a column: '\(found)' is \(reason). Use a Codable struct or another type that can be stored, or mark the property @Transient.",
            fixIts: fixIts)
    }
}
#endif
