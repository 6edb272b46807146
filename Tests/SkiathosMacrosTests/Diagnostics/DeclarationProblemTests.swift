#if Macros
import MacroRequests
import Testing

@Suite struct DeclarationProblemTests {
    @Test(arguments: [
        ("class", "a class", ["replace 'class' by 'struct'"]), ("enum", "an enum", []),
        ("actor", "an actor", []), ("protocol", "a protocol", []),
    ])
    func `only a struct can be an entity`(keyword: String, kind: String, fixIts: [String]) {
        let isFixed = !fixIts.isEmpty
        expectProblems(
            in: "@Entity \(keyword) User {}",
            [
                .problem(
                    1, 9,
                    "@Entity expects a struct, since reads return values; 'User' is \(kind). Make it a struct.",
                    fixIts: fixIts)
            ], gives: isFixed ? "@Entity struct User {}" : nil)
    }

    @Test func `a generic struct is refused`() {
        expectProblems(
            in: "@Entity struct User<T> { var x: Int }",
            [
                .problem(
                    1, 20,
                    "@Entity expects a struct without generic parameters, since an entity has one table; 'User' is generic. Declare one struct for each table."
                ),
                needsDefault(1, 30, "x", "0"),
            ])
    }

    @Test func `a struct inside a generic type is refused`() {
        expectProblems(
            in: "struct Box<T> { @Entity struct User {} }",
            [
                .problem(
                    1, 32,
                    "@Entity expects a struct without generic parameters, since an entity has one table; 'User' stands inside a generic declaration. Move it out."
                )
            ])
    }

    @Test func `a private struct inside another type is refused`() {
        expectProblems(
            in: "enum Zoo { @Entity private struct User {} }",
            [
                .problem(
                    1, 20,
                    "@Entity conforms 'User' in an extension at the level of the file, where a private member of another declaration cannot be seen. Make it fileprivate or move it out.",
                    fixIts: ["replace 'private' by 'fileprivate'"])
            ], gives: "enum Zoo { @Entity fileprivate struct User {} }")
    }

    @Test(arguments: [
        ("", "this one is empty"), ("sqlite_a", #"found "sqlite_a""#),
        ("SQLITE_a", #"found "SQLITE_a""#), ("skiathos_a", #"found "skiathos_a""#),
    ])
    func `a table needs a name that is not reserved`(name: String, found: String) {
        expectProblems(
            in: #"@Entity(table: "\#(name)") struct User {}"#,
            [
                .problem(
                    1, 16,
                    "The name of a table must not be empty or begin with sqlite_ or skiathos_; \(found). Choose another name."
                )
            ])
    }

    @Test func `arguments must be readable when the code is compiled`() {
        expectProblems(
            in: #"@Entity(table: "a\(1)", id: key) struct User {}"#,
            [
                .problem(
                    1, 16,
                    "@Entity(table:) expects a string literal without interpolation, since the name must be known when the code is compiled."
                ),
                .problem(
                    1, 29,
                    "@Entity(id:) expects the type of the keys, written as UUID.self or String.self."
                ),
            ])
    }

    @Test func `names of generated members are taken`() {
        func taken(_ column: Int, _ name: String) -> Problem {
            .problem(
                1, column,
                "@Entity generates a member named '\(name)'. Give this one another name.")
        }
        expectProblems(
            in: "@Entity struct User { static let columns = 1, schema = 2; enum Columns {} }",
            [taken(34, "columns"), taken(47, "schema"), taken(64, "Columns")])
        expectProblems(in: "@Entity struct User { var columns = 1, schema = 2 }", [])
    }

    @Test func `the initialiser without arguments must always succeed`() {
        expectProblems(
            in: "@Entity struct User { init?(x: Int = 0) {} }",
            [
                .problem(
                    1, 23,
                    "@Entity makes new values with init(), which must neither fail, throw nor be asynchronous. Give this initialiser a parameter without default."
                )
            ])
    }

    @Test func `there are at most 63 columns beside the ID`() {
        func source(_ count: Int) -> String {
            "@Entity struct User {\n"
                + (1...count).map { "    var c\($0) = 0\n" }.joined() + "}"
        }
        expectProblems(in: source(63), [])
        expectProblems(
            in: source(65),
            [
                .problem(
                    65, 9,
                    "An entity can have at most 63 columns beside its ID; this one has 65. Group some of them in a Codable struct."
                )
            ])
    }

    @Test func `names of columns must differ by more than case`() {
        func twins(_ column: Int, _ first: String, _ second: String) -> Problem {
            .problem(
                1, column,
                "The columns '\(first)' and '\(second)' differ only by upper and lower case, which databases do not tell apart. Rename one of them."
            )
        }
        expectProblems(
            in: "@Entity struct User { var name = 0, Name = 0, ID = 0 }",
            [twins(37, "name", "Name"), twins(47, "id", "ID")])
    }

    @Test(arguments: ["Swift", "Skiathos"])
    func `a name that hides a module of the generated code is refused`(name: String) {
        let sentence =
            "@Entity generates code that names the module '\(name)', which a declaration of this name hides. Give it another name; the table may be named with @Entity(table:)."
        expectProblems(in: "@Entity struct \(name) {}", [.problem(1, 16, sentence)])
        expectProblems(
            in: "@Entity struct User { enum \(name) {} }", [.problem(1, 28, sentence)])
        expectProblems(
            in: "@Entity struct User { var \(name): Int { 1 } }", [.problem(1, 27, sentence)])
        expectProblems(
            in: "enum \(name) { @Entity struct User {} }",
            [
                .problem(
                    1, 24 + name.count,
                    "@Entity generates code that names the module '\(name)', which the declaration around this one hides. Move it out, or give the outer one another name."
                )
            ])
        expectProblems(in: "@Entity struct Foundation {}", [])
    }
}
#endif
