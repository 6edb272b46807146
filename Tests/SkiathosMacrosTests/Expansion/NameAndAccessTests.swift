#if Macros
import Testing

@Suite struct NameAndAccessTests {
    @Test(arguments: [
        ("User", "user"), ("URLEntry", "urlEntry"), ("URL", "url"), ("A", "a"), ("AB", "ab"),
        ("HTTP2Log", "http2Log"), ("BlogPost", "blogPost"), ("user", "user"), ("_User", "_User"),
    ])
    func `a table is called as its type with leading capitals lowered`(type: String, table: String)
    {
        let text = expansion(of: "@Entity struct \(type) { var x = 0 }")
        #expect(text.contains(#"table: "\#(table)","#))
    }

    @Test func `a table name is written so that it stays what it is`() {
        let text = expansion(of: #"@Entity(table: "a\"b") struct User { var x = 0 }"#)
        #expect(text.contains(##"table: #"a"b"#"##))
        #expect(expansion(of: "@Entity(table: nil) struct User {}").contains(#"table: "user""#))
    }

    @Test(arguments: ["public", "package"])
    func `members are as visible as the struct`(level: String) {
        let text = expansion(of: "@Entity \(level) struct User { \(level) var a = 0; var b = 0 }")
        for member in ["var id:", "typealias ID", "let a ="] {
            #expect(text.contains("    \(level) \(member)"), "\(member)")
        }
        // The store uses them from its own threads.
        for member in [
            "struct Columns:", "static let columns", "static let schema", "static func column(at",
            "init(id:", "init(row:", "func bind(", "func changedColumns(",
        ] {
            #expect(text.contains("    \(level) nonisolated \(member)"), "\(member)")
        }
        #expect(text.contains("        let b ="))
    }

    @Test(arguments: ["", "internal ", "fileprivate ", "private "])
    func `members of other structs need no modifier`(level: String) {
        let text = expansion(of: "@Entity \(level)struct User { public var a = 0 }")
        #expect(text.contains("    var id:") && text.contains("        let a ="))
        #expect(text.contains("    nonisolated static let schema"))
    }

    @Test func `a struct in a public extension is public`() {
        let text = expansion(of: "public extension Zoo { @Entity struct Pet { var a = 0 } }")
        #expect(
            text.contains("public nonisolated static let schema")
                && text.contains("        let a ="))
    }

    @Test func `a column is hidden as its property is`() {
        let text = expansion(
            of: """
                @Entity struct User {
                    private enum Kind: String { case a }
                    private var secret = 0
                    fileprivate var kept = 0
                    private var kind: [Kind] = []
                    public private(set) var shown = 0
                }
                """)
        #expect(text.contains("fileprivate let secret") && text.contains("fileprivate let kept"))
        #expect(text.contains("private let kind") && text.contains("        let shown"))
    }

    @Test
    func
        `a deprecated column is deprecated where users find it, and generated code reads it without a warning`()
    {
        let text = expansion(
            of: "@Entity struct User { @available(*, deprecated) var old = 0; var new = 0 }")
        #expect(text.contains("        @available(*, deprecated) let old ="))
        #expect(text.contains("        let new ="))
        #expect(text.ranges(of: "    @available(*, deprecated)\n    nonisolated ").count == 4)
        #expect(!expansion(of: "@Entity struct User { var new = 0 }").contains("deprecated"))
    }

    @Test func `keys have the type asked for`() {
        #expect(
            expansion(of: "@Entity(id: UUID.self) struct A {}").contains("typealias RawID = UUID"))
        #expect(
            expansion(of: #"@Entity(table: "b", id: String.self) struct A {}"#).contains("= String")
        )
        #expect(!expansion(of: "@Entity(id: Int64.self) struct A {}").contains("RawID"))
    }

    @Test(arguments: [
        "var id: User.ID = .unassigned", "var id: EntityID<User> = .unassigned",
        "var id: Self.ID = .unassigned", "var id: ID = .unassigned",
        "var id: Skiathos.EntityID<User> = .unassigned", "public var id = User.ID.unassigned",
        "var id = EntityID<User>.unassigned", "var id: User.ID = 5",
    ])
    func `an ID that the struct declares is kept`(declaration: String) {
        let text = expansion(of: "@Entity struct User { \(declaration) }")
        #expect(text.contains("self.id = try row.value"))
        #expect(text.ranges(of: "var id").count == 1)
    }

    @Test func `an initialiser without arguments is added where the compiler adds none`() {
        #expect(
            expansion(of: "@Entity struct A { var x = 0; init(x: Int) {} }").contains(
                "    nonisolated init() {"))
        #expect(!expansion(of: "@Entity struct A { var x = 0 }").contains("init() {"))
        let declared = expansion(of: "@Entity struct A { var x = 0; init(x: Int = 1) {} }")
        #expect(!declared.contains("init() {"))
        let withID = expansion(of: "@Entity struct A { var x = 0; init(id: A.ID) {} }")
        #expect(!withID.contains("self.id = id\n"))
    }
}
#endif
