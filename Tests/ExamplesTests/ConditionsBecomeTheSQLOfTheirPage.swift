#if Macros
import Skiathos
import Testing

@testable import SkiathosCore
@testable import SkiathosSQLite
@testable import SkiathosStore

/// The entity of the page about queries.
@Entity struct User {
    var firstname = ""
    var lastname = ""
    @Unique var email: String?
    @Indexed var age = 0
    var isGuest = false
}

struct ConditionsBecomeTheSQLOfTheirPage {
    private static let path = "Sources/Skiathos/Skiathos.docc/Queries.md"

    /// The conditions of the page, by their text.
    private static let conditions: [String: @Sendable (User.Columns) -> Condition<User>] = [
        #"$0.age == 36"#: { $0.age == 36 },
        #"$0.age != 36"#: { $0.age != 36 },
        #"$0.age >= 18"#: { $0.age >= 18 },
        #"$0.age.in(18..<65)"#: { $0.age.in(18..<65) },
        #"$0.age.in(18...)"#: { $0.age.in(18...) },
        #"$0.age.in([20, 30])"#: { $0.age.in([20, 30]) },
        #"$0.age.in([])"#: { $0.age.in([]) },
        #"$0.email == "ada@example.org""#: { $0.email == "ada@example.org" },
        #"$0.email != "ada@example.org""#: { $0.email != "ada@example.org" },
        #"$0.email == nil"#: { $0.email == nil },
        #"$0.email != nil"#: { $0.email != nil },
        #"$0.email.in(["ada@example.org", nil])"#: { $0.email.in(["ada@example.org", nil]) },
        #"$0.lastname.hasPrefix("Lo")"#: { $0.lastname.hasPrefix("Lo") },
        #"$0.lastname.hasSuffix("ce")"#: { $0.lastname.hasSuffix("ce") },
        #"$0.lastname.contains("vel")"#: { $0.lastname.contains("vel") },
        #"$0.lastname.caseInsensitive == "LOVELACE""#: {
            $0.lastname.caseInsensitive == "LOVELACE"
        },
        #"$0.age >= 18 && $0.firstname == "Ada""#: { $0.age >= 18 && $0.firstname == "Ada" },
        #"$0.age < 18 || $0.age >= 65"#: { $0.age < 18 || $0.age >= 65 },
        #"!$0.isGuest && $0.age >= 18"#: { !$0.isGuest && $0.age >= 18 },
        #"[20, 30].contains($0.age)"#: { [20, 30].contains($0.age) },
        #"(18..<65).contains($0.age)"#: { (18..<65).contains($0.age) },
        #"$0.lastname.isEmpty"#: { $0.lastname.isEmpty },
        #"!($0.age < 18)"#: { !($0.age < 18) },
        #"$0.id.in([1, 2])"#: { $0.id.in([1, 2]) },
        #"_ in .never"#: { _ in .never },
    ]

    @Test func `each condition of the page becomes the SQL beside it`() throws {
        let block = try #require(
            try Document(Self.path).blocks(under: "Conditions").first { $0.language == "swift" })
        let rows = block.text.matches(of: /(?m)^    \{ (.+) \},  \/\/ (.+)$/)
        #expect(rows.map { String($0.1) }.sorted() == Self.conditions.keys.sorted())
        for row in rows {
            let condition = try #require(Self.conditions[String(row.1)])
            let sql = try renderer().select(request(where: condition)).inPlace
            let expected = row.2 == "FALSE" ? "FALSE" : "(\(row.2))"
            #expect(sql.hasSuffix("WHERE " + expected), "\(row.1)")
        }
    }

    @Test func `each statement of the page is the one that is run`() throws {
        let page = try PackageDirectory.text(of: Self.path)
            .replacing(#/\n *\/\/ /#, with: " ").split(separator: "\n")
        let renderer = try renderer()
        let columns = User.columns
        let statements = [
            try renderer.select(
                request(
                    where: { $0.age >= 18 },
                    orderedBy: { [$0.lastname.ascending, $0.age.descending] }, limit: 50,
                    offset: 100)),
            try renderer.update(
                request(where: { $0.age < 100 }),
                [columns.age.add(1), columns.email.set(to: nil)].map { try $0.assignment.get() }),
            try renderer.delete(request(where: { $0.age >= 100 })),
        ]
        for statement in statements.map(\.inPlace) {
            #expect(page.contains { $0.hasSuffix(" " + statement) }, "\(statement)")
        }
    }

    private func renderer() throws -> RequestRenderer {
        RequestRenderer(try StoreSchema([User.schema]))
    }

    private func request(
        where condition: (User.Columns) -> Condition<User>,
        orderedBy order: (User.Columns) -> [Ordering<User>] = { _ in [] }, limit: Int? = nil,
        offset: Int = 0
    ) throws -> FetchRequest {
        try User.where(condition).order(order).limit(limit).offset(offset).request(at: 0)
    }
}

extension SQLText {
    /// The text with the values in the places of the parameters.
    fileprivate var inPlace: String {
        var values = parameters[...]
        return sql.split(separator: "?", omittingEmptySubsequences: false).reduce("") {
            text, part in
            guard !text.isEmpty, let value = values.popFirst() else { return text + part }
            return text + Self.literal(value) + part
        }
    }

    private static func literal(_ value: StoreValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .text(let text): "'\(text)'"
        default: "\(value)"
        }
    }
}
#endif
