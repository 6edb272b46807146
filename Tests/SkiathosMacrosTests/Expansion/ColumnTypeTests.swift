#if Macros
import Testing

@Suite struct ColumnTypeTests {
    @Test(arguments: [
        (#""a""#, "Swift.String"), (#""a \(1)""#, "Swift.String"), ("1", "Swift.Int"),
        ("-1", "Swift.Int"), ("0xFF", "Swift.Int"), ("1.5", "Swift.Double"),
        ("-1e3", "Swift.Double"), ("true", "Swift.Bool"), ("Date()", "Date"),
        ("Foundation.Date()", "Foundation.Date"), ("UUID.init()", "UUID"),
        ("[String]()", "[String]"), ("[String: Int]()", "[String: Int]"),
        ("Set<String>()", "Set<String>"), ("[Geo.Point]()", "[Geo.Point]"),
        (#"Address(street: "a")"#, "Address"), ("Decimal(3)", "Decimal"), ("0 as Int64", "Int64"),
        ("[] as [Int]", "[Int]"), ("Date(timeIntervalSince1970: 0)", "Date"),
    ])
    func `the type of a column shows in its default`(value: String, type: String) {
        let text = expansion(of: "@Entity struct User { var x = \(value) }")
        #expect(text.contains("let x = Skiathos.Column<User, \(type)>"))
    }

    @Test(arguments: [
        "String", "Int?", "[String: [Int]]", "Optional<Int>", "(Int)", "Company.ID?", "Set<Tag>",
        "EntityID<Company>",
    ])
    func `the type of a column is that of the annotation, as it is written`(type: String) {
        let text = expansion(of: "@Entity struct User { var x: \(type) = y }")
        #expect(text.contains("let x = Skiathos.Column<User, \(type)>"))
        #expect(text.contains(#"ColumnSchema("x", Skiathos.Coding.of(\#(type).self))"#))
    }

    @Test func `several properties of one declaration become several columns`() {
        let text = expansion(of: "@Entity struct User { var a = 0, b = true; var c, d: Int? }")
        for (position, column) in [
            ("a", "Swift.Int"), ("b", "Swift.Bool"), ("c", "Int?"), ("d", "Int?"),
        ]
        .enumerated() {
            #expect(
                text.contains(
                    "let \(column.0) = Skiathos.Column<User, \(column.1)>(\(position + 1),"))
        }
    }

    @Test func `a declaration that is not a stored variable is no column`() {
        let text = expansion(
            of: """
                @Entity struct User {
                    var a = 0 { willSet {} didSet {} }
                    var b: Int { 1 }
                    var c: Int { get { 1 } set {} }
                    static var d = 1
                    static let e = 1
                    @Transient var f = 1
                    @Transient var g: Int?
                    @Transient let h = 1
                    @Transient lazy var i = 1
                    @available(*, deprecated) @usableFromInline var j = 1
                    #if DEBUG
                    var k: Int { 1 }
                    @Transient var l = 1
                    #endif
                }
                """)
        let names = text.matches(of: /ColumnSchema\("(.)"/).map { String($0.output.1) }
        #expect(names == ["a", "j"])
    }
}
#endif
