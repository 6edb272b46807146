import Foundation
import ReliabilityKit
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosSQLite

/// Compares what SQLite finds with what the same condition means in Swift.
@Suite struct PredicateTests {
    private static let people: [[StoreValue]] = {
        let names = [
            "", "a", "A", "ab", "Ab", "b", "é", "É", "e\u{301}", "ß", "İ", "x%_", "\u{D7FF}z",
            "\u{E000}", "\u{10FFFF}", "\u{10FFFF}\u{10FFFF}k", "zoë",
        ]
        let emails: [String?] = [nil, "", "a", "B", "é@x", "Ab"]
        let scores: [Double?] = [nil, 0, -1.5, .infinity]
        let photos: [[UInt8]?] = [nil, [], [0], [0xFF, 1]]
        return names.enumerated().map { position, name in
            user(
                Int64(position + 1), name, email: position < 6 ? emails[position] : nil,
                age: Int64(position % 4), score: scores[position % 4],
                photo: photos[position % 3])
        }
    }()

    /// A random condition over all columns but those of decimals and references.
    private static func random(
        _ depth: Int, _ generator: inout some RandomNumberGenerator
    ) -> StorePredicate {
        let column = Int.random(in: 0...5, using: &generator)
        let values = people.map { $0[column] } + [.null]
        func value() -> StoreValue { values.randomElement(using: &generator) ?? .null }
        let isFolded = Bool.random(using: &generator)
        func operand(_ column: Int) -> StoreExpression {
            let isText = column == UserColumn.firstname || column == UserColumn.email
            return isFolded && isText ? .folded(.column(column)) : .column(column)
        }
        switch Int.random(in: 0...(depth > 0 ? 9 : 5), using: &generator) {
        case 0: return .constant(Bool.random(using: &generator))
        case 1, 2:
            let comparison = StorePredicate.Comparison.allCases.randomElement(using: &generator)
            return .comparison(operand(column), comparison ?? .equal, .value(value()))
        case 3:
            let count = Int.random(in: 0...4, using: &generator)
            return .contained(operand(column), (0..<count).map { _ in value() })
        case 4, 5:
            let text = operand(
                Bool.random(using: &generator) ? UserColumn.firstname : UserColumn.email)
            let match = StorePredicate.TextMatch.allCases.randomElement(using: &generator)
            let pattern = ["", "a", "A", "b", "é", "É", "\u{D7FF}", "\u{10FFFF}", "%", "_", "i"]
                .randomElement(using: &generator)
            return .match(text, match ?? .prefix, .value(.text(pattern ?? "")))
        case 6, 7: return .not(random(depth - 1, &generator))
        case let choice:
            let count = Int.random(in: 0...3, using: &generator)
            let parts = (0..<count).map { _ in random(depth - 1, &generator) }
            return choice == 8 ? .all(parts) : .any(parts)
        }
    }

    @Test(.seeded, arguments: StoreKind.allCases)
    func `conditions mean what they mean in Swift`(kind: StoreKind) throws {
        try kind.withStore { store in
            let entity = store.position(User.self)
            try store.transaction { try $0.apply([.insert(entity: entity, Rows(Self.people))]) }
            var generator = SeededNumbers(seed: Seed.current)
            for _ in 0..<Rounds.of(1500) {
                let predicate = Self.random(3, &generator)
                let expected = Self.people.filter { predicate.holds(for: $0) }
                let found = try store.ids(User.self, where: predicate)
                #expect(
                    found.sorted().map { .integer($0) } == expected.map { $0[0] }, "\(predicate)")
                let condition = RowCondition(predicate, of: store.schema.entities[entity])
                #expect(condition.isDecidable)
                for row in Self.people {
                    #expect(condition.answer(for: row) == predicate.holds(for: row), "\(predicate)")
                    #expect(
                        condition.path.allows(row) || !predicate.holds(for: row), "\(predicate)")
                }
                let request = FetchRequest(entity: entity, predicate: predicate)
                try store.anyReader.read { session throws in
                    #expect(try session.count(request) == expected.count)
                    #expect(try session.exists(request) == !expected.isEmpty)
                }
            }
        }
    }

    @Test func `a comparison with no value is false and its negation true`() throws {
        try StoreKind.memory.withStore { store in
            try store.insert(User.self, user(1), user(2, email: "x"))
            let email = StoreExpression.column(UserColumn.email)
            let less = StorePredicate.comparison(email, .less, .value("y"))
            #expect(try store.ids(User.self, where: less) == [2])
            #expect(try store.ids(User.self, where: .not(less)) == [1])
            #expect(try store.ids(User.self, where: .not(.not(less))) == [2])
            #expect(
                try store.ids(User.self, where: .comparison(email, .equal, .value(.null))) == [1])
            #expect(
                try store.ids(User.self, where: .comparison(email, .notEqual, .value(.null))) == [2]
            )
            #expect(
                try store.ids(User.self, where: .comparison(email, .notEqual, .value("x"))) == [1])
            #expect(
                try store.ids(User.self, where: .comparison(email, .greater, .value(.null))) == [])
        }
    }

    @Test func `long lists of every kind are searched without a limit`() throws {
        try StoreKind.file.withStore { store in
            let numbers = Array(0..<Int64(700))
            let reals = numbers.map { 1 / Double($0 + 1) }
            let blobs = numbers.map { [UInt8(truncatingIfNeeded: $0), UInt8($0 / 256), 0xFE] }
            let texts = numbers.map { "é\"\\\n\u{1}\u{1F}'\($0)" }
            let rows = numbers.map { number in
                let position = Int(number)
                return user(
                    number, texts[position], age: number * (Int64.max / 800),
                    score: reals[position], photo: blobs[position])
            }
            let entity = store.position(User.self)
            try store.transaction { try $0.apply([.insert(entity: entity, Rows(rows))]) }
            let lists: [(Int, [StoreValue])] = [
                (UserColumn.firstname, texts.map { .text($0) }),
                (UserColumn.age, numbers.map { .integer($0 * (.max / 800)) }),
                (UserColumn.score, reals.map { .real($0) }),
                (UserColumn.photo, blobs.map { .blob($0) }),
            ]
            for (column, list) in lists {
                for count in [499, 500, 501, 650] {
                    let predicate = StorePredicate.contained(
                        StoreExpression.column(column), Array(list[..<count]))
                    #expect(try store.ids(User.self, where: predicate).count == count)
                }
                let other: [StoreValue] = [.null] + (0..<600).map { .integer(-1 - $0) }
                #expect(
                    try store.ids(
                        User.self, where: .contained(StoreExpression.column(column), other)) == [])
            }
            let withoutCase = StorePredicate.contained(
                StoreExpression.folded(.column(UserColumn.firstname)),
                texts.map { .text($0.lowercased()) })
            #expect(try store.ids(User.self, where: withoutCase).count == 700)
            let huge = (0..<200_000).map { StoreValue.integer(Int64($0)) }
            #expect(
                try store.ids(User.self, where: .contained(StoreExpression.column(0), huge)).count
                    == 700)
            _ = try storeError(.invalidValue) {
                let list = Array(repeating: StoreValue.text("a\0b"), count: 600)
                _ = try store.ids(
                    User.self, where: .contained(StoreExpression.column(UserColumn.firstname), list)
                )
            }
        }
    }

    @Test func `a condition of thousands of parts meets no limit of depth`() throws {
        try StoreKind.memory.withStore { store in
            try store.insert(User.self, user(1), user(2))
            let parts = (0..<5000).map {
                StorePredicate.comparison(.column(0), .equal, .value(.integer(Int64($0))))
            }
            #expect(try store.ids(User.self, where: .any(parts)) == [1, 2])
            #expect(try store.ids(User.self, where: .all(parts)) == [])
        }
    }

    @Test(arguments: [
        ("a", "b"), ("az", "a{"), ("\u{7F}", "\u{80}"), ("x\u{D7FF}", "x\u{E000}"),
        ("x\u{10FFFF}", "y"), ("x\u{10FFFF}\u{10FFFF}", "y"),
    ])
    func `the range of a prefix ends at the next text`(prefix: String, bound: String) {
        let found = PrefixRange.upperBound(of: prefix)
        #expect(found.map { Array($0.unicodeScalars) } == Array(bound.unicodeScalars))
    }

    @Test func `no text lies above every prefix`() {
        #expect(PrefixRange.upperBound(of: "") == nil)
        #expect(PrefixRange.upperBound(of: "\u{10FFFF}\u{10FFFF}") == nil)
    }

    @Test func `values never become part of the text`() throws {
        let renderer = RequestRenderer(try TestEntities.schema())
        let request = FetchRequest(
            entity: 1, predicate: .comparison(.column(1), .equal, .value("'; DROP TABLE user; --")),
            limit: 3, offset: 4)
        let text = try renderer.selectIDs(request)
        #expect(
            text.sql
                == #"SELECT "id" FROM "user" WHERE ("firstname" = ?) ORDER BY "id" LIMIT ? OFFSET ?"#
        )
        #expect(text.parameters == ["'; DROP TABLE user; --", 3, 4])
    }
}

extension AccessPath {
    /// Whether a row has what all rows that meet the condition have in common.
    fileprivate func allows(_ row: [StoreValue]) -> Bool {
        switch self {
        case .equal(let column, let values): values.contains(row[column])
        case .range(let column, let range): range.contains(row[column])
        case .never: false
        case .none: true
        }
    }
}

extension StorePredicate {
    /// What the condition means, said in Swift.
    fileprivate func holds(for row: [StoreValue]) -> Bool {
        switch self {
        case .constant(let value): value
        case .comparison(let operand, let comparison, let value):
            Self.compare(operand.value(in: row), comparison, value.value(in: row))
        case .contained(let operand, let values):
            values.contains { operand.value(in: row).isSame(as: $0) }
        case .match(let operand, let match, let pattern):
            Self.match(operand.value(in: row), match, pattern.value(in: row))
        case .containedIn, .through, .related, .descent, .among, .outer, .search:
            preconditionFailure("These conditions are tried elsewhere.")
        case .all(let parts): parts.allSatisfy { $0.holds(for: row) }
        case .any(let parts): parts.contains { $0.holds(for: row) }
        case .not(let part): !part.holds(for: row)
        }
    }

    private static func compare(
        _ left: StoreValue, _ comparison: Comparison, _ right: StoreValue
    ) -> Bool {
        switch comparison {
        case .equal: return left.isSame(as: right)
        case .notEqual: return !left.isSame(as: right)
        default: break
        }
        guard left != .null, right != .null else { return false }
        return switch comparison {
        case .less: left.precedes(right)
        case .lessOrEqual: !right.precedes(left)
        case .greater: right.precedes(left)
        default: !left.precedes(right)
        }
    }

    private static func match(
        _ value: StoreValue, _ match: TextMatch, _ pattern: StoreValue
    ) -> Bool {
        guard case .text(let text) = value, case .text(let pattern) = pattern else { return false }
        let scalars = Array(text.unicodeScalars)
        let wanted = Array(pattern.unicodeScalars)
        return switch match {
        case .prefix: scalars.starts(with: wanted)
        case .suffix: scalars.reversed().starts(with: wanted.reversed())
        case .contains: wanted.isEmpty || scalars.firstRange(of: wanted) != nil
        }
    }
}

extension StoreExpression {
    fileprivate func value(in row: [StoreValue]) -> StoreValue {
        switch self {
        case .column(let column): row[column]
        case .value(let value): value
        case .call(.lowercased, let arguments):
            if case .text(let text)? = arguments.first?.value(in: row) {
                .text(text.lowercased())
            } else {
                .null
            }
        default: preconditionFailure("These expressions are tried elsewhere.")
        }
    }
}

extension StoreValue {
    fileprivate func isSame(as other: StoreValue) -> Bool {
        guard case .text(let left) = self, case .text(let right) = other else {
            return self == other
        }
        return left.utf8.elementsEqual(right.utf8)
    }

    fileprivate func precedes(_ other: StoreValue) -> Bool {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): left < right
        case (.real(let left), .real(let right)): left < right
        case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
        case (.blob(let left), .blob(let right)): left.lexicographicallyPrecedes(right)
        default: false
        }
    }
}
