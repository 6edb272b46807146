#if Macros
import MacroRequests
import Testing

@Suite struct EmbeddedExpansionTests {
    @Test func `an embedded value expands to the list of its fields`() {
        expectExpansion(
            of: #"""
                @Embedded
                public struct Address: Codable {
                    var city = "", `class`: String?
                    var floor = 0 { didSet { print(floor) } }
                    let fixed = 1
                    static let none = 0
                    lazy var late = 0
                    var label: String { city }
                }
                """#,
            to: #"""
                public struct Address: Codable {
                    var city = "", `class`: String?
                    var floor = 0 { didSet { print(floor) } }
                    let fixed = 1
                    static let none = 0
                    lazy var late = 0
                    var label: String { city }
                }

                extension Address: nonisolated Skiathos.Embedded {
                    public nonisolated static let fields: [Skiathos.EmbeddedField<Address>] = [
                        Skiathos.EmbeddedField(\Address.city, Address.CodingKeys.city),
                        Skiathos.EmbeddedField(\Address.`class`, Address.CodingKeys.`class`),
                        Skiathos.EmbeddedField(\Address.floor, Address.CodingKeys.floor),
                        Skiathos.EmbeddedField(\Address.fixed, Address.CodingKeys.fixed),
                    ]
                }
                """#)
    }

    @Test func `properties without a key are left out`() {
        let text = expansion(
            of: #"""
                @Embedded struct Address: Codable {
                    enum CodingKeys: String, CodingKey { case city = "name", zip }
                    var city = ""
                    var zip = ""
                    var cache = 0
                }
                """#)
        #expect(text.contains(#"EmbeddedField(\Address.city, Address.CodingKeys.city)"#))
        #expect(text.contains(#"EmbeddedField(\Address.zip, Address.CodingKeys.zip)"#))
        #expect(!text.contains("Address.cache"))
    }

    @Test func `only structs without generic parameters have a list`() {
        expectProblems(
            in: "@Embedded enum Shape: Codable { case round }",
            [
                .problem(
                    1, 11,
                    "@Embedded expects a struct, whose stored properties are the fields; found 'enum'. Make it a struct, or adopt Embedded and list the fields."
                )
            ])
        expectProblems(
            in: "@Embedded struct Box<T: Codable>: Codable { var value: T }",
            [
                .problem(
                    1, 21,
                    "@Embedded expects a struct without generic parameters, since the fields are listed once; 'Box' has some. Adopt Embedded and list the fields in a computed property."
                )
            ])
    }
}
#endif
