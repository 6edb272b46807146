import Foundation
import Skiathos
import TestSupport
import Testing

/// Conditions find the same as Swift does by itself.
struct ConditionTests {
    private struct Case: Sendable {
        let condition: @Sendable (User.Columns) -> Condition<User>
        let holds: @Sendable (User) -> Bool

        init(
            _ condition: @escaping @Sendable (User.Columns) -> Condition<User>,
            _ holds: @escaping @Sendable (User) -> Bool
        ) {
            self.condition = condition
            self.holds = holds
        }
    }

    private static let names = [
        "", "a", "A", "ab", "Ab", "%", "_", "a%b", "Zoë", "ZOË", "zoë", "straße", "ΣΑΣ", "σασ",
        "e\u{301}", "\u{e9}", "\u{1F600}x", "\u{10FFFF}", "ÖZ", "öz", "a\nb", "'", "\"",
    ]

    /// Users with every name and many ages, emails and scores.
    private static func users(_ seed: UInt64) -> [User] {
        var generator = SeededNumbers(seed: seed)
        return (0..<300).map { number in
            User(
                firstname: names[number % names.count],
                lastname: "\(number)",
                email: Bool.random(using: &generator)
                    ? "\(names.randomElement(using: &generator) ?? "")\(number)" : nil,
                age: .random(in: -5...5, using: &generator),
                score: .random(in: -2...2, using: &generator),
                role: [.guest, .member, .owner].randomElement(using: &generator) ?? .guest)
        }
    }

    private static let cases: [Case] = [
        Case({ $0.age == 3 }, { $0.age == 3 }), Case({ $0.age != 3 }, { $0.age != 3 }),
        Case({ $0.age < 0 }, { $0.age < 0 }), Case({ $0.age <= 0 }, { $0.age <= 0 }),
        Case({ $0.age > 0 }, { $0.age > 0 }), Case({ $0.age >= 0 }, { $0.age >= 0 }),
        Case({ $0.age.in(-2..<3) }, { (-2..<3).contains($0.age) }),
        Case({ $0.age.in(-2...3) }, { (-2...3).contains($0.age) }),
        Case({ $0.age.in(2...) }, { $0.age >= 2 }), Case({ $0.age.in(..<2) }, { $0.age < 2 }),
        Case({ $0.age.in(...2) }, { $0.age <= 2 }), Case({ $0.age.in(2..<2) }, { _ in false }),
        Case({ $0.age.in([1, 4, 9]) }, { [1, 4, 9].contains($0.age) }),
        Case({ $0.age.in([]) }, { _ in false }),
        Case({ $0.age.in(Set([1, 2])) }, { [1, 2].contains($0.age) }),
        Case({ $0.score < 0.5 && $0.score > -0.5 }, { $0.score < 0.5 && $0.score > -0.5 }),
        Case({ $0.role == .owner || $0.age == 1 }, { $0.role == .owner || $0.age == 1 }),
        Case({ !($0.role == .owner) }, { $0.role != .owner }),
        Case({ $0.role.in([.guest, .owner]) }, { $0.role != .member }),
        Case({ $0.email == nil }, { $0.email == nil }),
        Case({ $0.email != nil }, { $0.email != nil }),
        Case({ $0.email == "a1" }, { $0.email == "a1" }),
        Case({ $0.email != "a1" }, { $0.email != "a1" }),
        Case({ !($0.email < "b") }, { !($0.email.map { scalars($0, isBefore: "b") } ?? false) }),
        Case({ $0.email < "b" }, { $0.email.map { scalars($0, isBefore: "b") } ?? false }),
        Case({ $0.email >= "b" }, { $0.email.map { !scalars($0, isBefore: "b") } ?? false }),
        Case({ $0.email.in(["a1", nil]) }, { $0.email == "a1" || $0.email == nil }),
        Case(
            { $0.email.in("a"..<"b") },
            { $0.email.map { !scalars($0, isBefore: "a") && scalars($0, isBefore: "b") } ?? false }),
        Case({ _ in .always }, { _ in true }), Case({ _ in .never }, { _ in false }),
        Case({ !($0.age == 1 && $0.email == nil) }, { !($0.age == 1 && $0.email == nil) }),
        Case(
            { $0.age == 1 || $0.email == nil && $0.age > 2 },
            { $0.age == 1 || $0.email == nil && $0.age > 2 }),
    ]

    private static let textCases: [Case] = names.flatMap { text in
        [
            Case({ $0.firstname == text }, { Array($0.firstname.utf8) == Array(text.utf8) }),
            Case({ $0.firstname != text }, { Array($0.firstname.utf8) != Array(text.utf8) }),
            Case({ $0.firstname < text }, { scalars($0.firstname, isBefore: text) }),
            Case({ $0.firstname.hasPrefix(text) }, { $0.firstname.utf8.starts(with: text.utf8) }),
            Case(
                { $0.firstname.hasSuffix(text) },
                { $0.firstname.utf8.reversed().starts(with: text.utf8.reversed()) }),
            Case({ $0.firstname.contains(text) }, { bytes(of: $0.firstname, contain: text) }),
            Case(
                { $0.email.hasPrefix(text) },
                { $0.email.map { $0.utf8.starts(with: text.utf8) } ?? false }),
            Case(
                { !$0.email.contains(text) },
                { !($0.email.map { bytes(of: $0, contain: text) } ?? false) }),
            Case(
                { $0.firstname.caseInsensitive == text },
                { Array($0.firstname.lowercased().utf8) == Array(text.lowercased().utf8) }),
            Case(
                { $0.firstname.caseInsensitive.in([text, "zoë"]) },
                {
                    [text.lowercased(), "zoë"].contains { [own = $0.firstname.lowercased()] in
                        Array($0.utf8) == Array(own.utf8)
                    }
                }),
            Case(
                { $0.firstname.caseInsensitive.hasPrefix(text) },
                { $0.firstname.lowercased().utf8.starts(with: text.lowercased().utf8) }),
            Case(
                { $0.firstname.caseInsensitive.contains(text) },
                { bytes(of: $0.firstname.lowercased(), contain: text.lowercased()) }),
            Case(
                { $0.email.caseInsensitive != text },
                { ($0.email?.lowercased()).map { Array($0.utf8) } != Array(text.lowercased().utf8) }
            ),
        ]
    }

    @Test(.seeded, arguments: Place.allCases)
    func `conditions find what Swift finds, in reads and in writes`(_ place: Place) async throws {
        let seed = Seed.current
        try await withStore(place) { dal in
            let users: [User] = try await dal.write { context in
                try Self.users(seed).map { try User.insert($0, in: context).value }
            }
            for (number, check) in (Self.cases + Self.textCases).enumerated() {
                let expected = Set(users.filter(check.holds).map(\.id))
                let note = "case \(number)"
                try await dal.read { context in
                    let found = try User.all(where: check.condition, in: context)
                    #expect(Set(found.map(\.id)) == expected, "\(note)")
                    let ids = try User.ids(where: check.condition, in: context)
                    #expect(Set(ids) == expected, "\(note)")
                    let count = try User.count(where: check.condition, in: context)
                    #expect(count == expected.count, "\(note)")
                    let exists = try User.exists(where: check.condition, in: context)
                    #expect(exists == !expected.isEmpty, "\(note)")
                    let first = try User.first(where: check.condition, in: context)
                    #expect(first?.id == expected.min(), "\(note)")
                }
                try await dal.write { context in
                    let found = try User.all(where: check.condition, in: context)
                    #expect(Set(found.map(\.id)) == expected, "\(note)")
                }
            }
        }
    }

    @Test(.seeded, arguments: Place.allCases)
    func `set-based changes meet the rows that their condition finds`(
        _ place: Place
    ) async throws {
        let seed = Seed.current
        try await withStore(place) { dal in
            try await dal.write { context in
                var users: [User] = []
                for user in Self.users(seed) {
                    users.append(try User.insert(user, in: context).value)
                }
                for check in Self.cases {
                    let expected = users.indices.filter { check.holds(users[$0]) }
                    let changed = try User.update(
                        where: check.condition,
                        set: { [$0.score.add(1), $0.role.set(to: .guest)] },
                        in: context)
                    #expect(changed == expected.count)
                    for index in expected {
                        users[index].score += 1
                        users[index].role = .guest
                    }
                }
                let stored = try User.all(orderedBy: { [$0.id.ascending] }, in: context)
                #expect(stored.map(\.value) == users)
                let deleted = try User.deleteAll(where: { $0.age > 0 }, in: context)
                #expect(deleted == users.filter { $0.age > 0 }.count)
                let rest = try User.count(in: context)
                #expect(rest == users.count - deleted)
            }
        }
    }

    @Test(.seeded, arguments: Place.allCases)
    func `several sort keys, a limit and an offset give what Swift gives`(
        _ place: Place
    ) async throws {
        let seed = Seed.current
        try await withStore(place) { dal in
            let users: [User] = try await dal.write { context in
                try Self.users(seed).map { try User.insert($0, in: context).value }
            }
            let expected = users.sorted { left, right in
                if left.age != right.age { return left.age > right.age }
                if left.firstname.utf8.elementsEqual(right.firstname.utf8) {
                    return left.id < right.id
                }
                return Self.scalars(left.firstname, isBefore: right.firstname)
            }.map(\.id)
            for (limit, offset) in [(nil, 0), (10, 0), (10, 295), (0, 0), (1000, 5), (nil, 290)] {
                let found: [User] = try await dal.read { context in
                    try User.all(
                        orderedBy: { [$0.age.descending, $0.firstname.ascending] }, limit: limit,
                        offset: offset, in: context)
                }
                let window = expected.dropFirst(offset).prefix(limit ?? .max)
                #expect(found.map(\.id) == Array(window))
            }
            let emails: [String?] = try await dal.read { context in
                try User.all(orderedBy: { [$0.email.caseInsensitive.descending] }, in: context)
                    .map { $0.email?.lowercased() }
            }
            #expect(emails.firstIndex(of: nil) == emails.compactMap(\.self).count)
            let some = emails.compactMap(\.self)
            #expect(zip(some, some.dropFirst()).allSatisfy { !Self.scalars($0, isBefore: $1) })
        }
    }

    /// The order of the store, which is that of UTF-8 and of Unicode scalars.
    private static func scalars(_ left: String, isBefore right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    private static func bytes(of text: String, contain part: String) -> Bool {
        part.isEmpty || Data(text.utf8).range(of: Data(part.utf8)) != nil
    }
}
