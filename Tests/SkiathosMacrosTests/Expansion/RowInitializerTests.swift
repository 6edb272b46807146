#if Macros
import Testing

@Suite struct RowInitializerTests {
    @Test func `a row becomes the arguments of the initialiser that the compiler adds`() {
        let text = expansion(
            of: """
                @Entity struct User {
                    @Indexed var name = "", nick: String?
                    private(set) var boss: User.ID = .unassigned
                    var id: User.ID = .unassigned
                    static let limit = 3
                    var title: String { name }
                    @available(*, deprecated) var state: State = .open
                    enum State: String { case open }
                    func check() {}
                }
                """)
        #expect(
            text.contains(
                """
                    nonisolated init(row: Skiathos.RowReader) throws {
                        let value0 = try row.value(Skiathos.Coding.of(Skiathos.EntityID<User>.self), at: 0)
                        let value1 = try row.value(Skiathos.Coding.of(Swift.String.self), at: 1)
                        let value2 = try row.value(Skiathos.Coding.of(String?.self), at: 2)
                        let value3 = try row.value(Skiathos.Coding.of(User.ID.self), at: 3)
                        let value4 = try row.value(Skiathos.Coding.of(State.self), at: 4)
                        self.init(
                            name: value1,
                            nick: value2,
                            boss: value3,
                            id: value0,
                            state: value4
                        )
                    }
                """), "\(text)")
    }

    @Test func `an ID that is generated is the last argument`() {
        let text = expansion(of: "@Entity struct User { var name = \"\"; var age = 0 }")
        #expect(text.contains("age: value2,\n            id: value0\n        )"), "\(text)")
    }

    @Test func `the initialiser that is generated for other modules has the ID first`() {
        let text = expansion(of: "@Entity public struct User { public var name = \"\" }")
        #expect(text.contains("id: value0,\n            name: value1\n        )"), "\(text)")
    }

    @Test(arguments: [
        "var a = 0; init(a: Int) { self.a = a }", "var a = 0; init() {}",
        "var a = 0 { didSet {} }", "var a = 0 { willSet {} }",
        "private var a = 0", "fileprivate var a = 0", "var a = 0; private var b = 0",
        "var a = 0; @Transient var b = 0", "var a = 0; @Transient @Wrapped var b = 0",
        "var `class` = 0",
        "var a = 0\n#if DEBUG\nfunc check() {}\n#endif", "var a = 0; #members",
        "var a = 0; @Peered func check() {}", "var a = 0; @Peered struct Part {}",
        "var a = 0; @Peered static let limit = 3", "var a = 0; @Peered var b: Int { 1 }",
        "",
    ])
    func `properties are set one by one where that initialiser may be missing or different`(
        members: String
    ) {
        let text = expansion(of: "@Entity struct User {\n\(members)\n}")
        #expect(text.contains("    self.id = try row.value("), "\(text)")
        #expect(!text.contains("value0"))
    }

    @Test(arguments: [
        "@MainActor", "@Other", "@Other(name: 1)", "#if DEBUG\n@Other\n#endif\n",
    ])
    func `properties are set one by one where an attribute may change the struct`(
        attribute: String
    ) {
        for text in [
            expansion(of: "\(attribute) @Entity struct User { var a = 0 }"),
            expansion(of: "@Entity \(attribute) struct User { var a = 0 }"),
        ] {
            #expect(text.contains("    self.id = try row.value("), "\(text)")
        }
    }

    @Test(arguments: [
        "var a: Date = .now", "var a: Int = makeNumber()", "var a: Int?", "nonisolated var a = 0",
        "internal var a = 0", "public private(set) var a = 0", "var a, b: Int?",
        "var id = User.ID.unassigned; var a = 0", "private static let a = 0; var b = 0",
        "private var a: Int { b }; var b = 0", "private func a() {}; var b = 0",
    ])
    func `what does not change that initialiser is no reason`(members: String) {
        let text = expansion(of: "@Entity struct User { \(members) }")
        #expect(text.contains("        self.init("), "\(text)")
    }
}
#endif
