import Foundation
import Skiathos
import TestSupport
import Testing

/// Pages put together are all rows, once each and in order.
struct PagingTests {
    private typealias Key = @Sendable (User.Columns) -> Ordering<User>

    private static let keys: [Key] = [
        { $0.age.ascending }, { $0.age.descending }, { $0.email.ascending },
        { $0.email.descending }, { $0.score.descending },
        { $0.firstname.caseInsensitive.ascending },
        { $0.company.ascending }, { $0.company.name.descending }, { ($0.age % 3).ascending },
        { $0.id.descending },
    ]

    private static func users(_ generator: inout SeededNumbers) -> [User] {
        (0..<80).map { number in
            User(
                firstname: ["a", "A", "é", "b"].randomElement(using: &generator) ?? "",
                lastname: "\(number)",
                email: Bool.random(using: &generator) ? nil : "\(number % 7) \(number)",
                age: .random(in: 0...4, using: &generator),
                score: [-.infinity, -0.0, 0, 1.5, .infinity].randomElement(using: &generator) ?? 0)
        }
    }

    @Test(arguments: Seed.each(1, 2, 3, 4, 5))
    func `pages by any keys make up the whole, in the same order`(_ seed: UInt64) async throws {
        try await withSeed(seed) { try await Self.check(seed) }
    }

    private static func check(_ seed: UInt64) async throws {
        try await withStore(.memory) { dal in
            var generator = SeededNumbers(seed: seed)
            let users = Self.users(&generator)
            try await dal.write { context in
                let companies = try ["x", "y"].map { name in
                    try Company.create(in: context) { $0.name = name }.id
                }
                for (number, user) in users.enumerated() {
                    try User.insert(user, in: context).company =
                        number % 3 == 2 ? nil : companies[number % 3]
                }
            }
            for _ in 0..<30 {
                let chosen = (0..<Int.random(in: 0...3, using: &generator)).compactMap { _ in
                    Self.keys.randomElement(using: &generator)
                }
                let size = Int.random(in: 1...40, using: &generator)
                try await dal.read { context in
                    let query = User.order { columns in chosen.map { $0(columns) } }
                    let all = try query.limit(1000).all(in: context)
                    var pages: [User] = []
                    var token: PageToken?
                    repeat {
                        let page = try query.page(size: size, after: token, in: context)
                        #expect(page.elements.count == size || page.next == nil)
                        pages += page.elements
                        // As it would come back from a client.
                        token = page.next.map { PageToken(rawValue: $0.rawValue) }
                    } while token != nil
                    #expect(pages.map(\.id) == all.map(\.id))
                    try Self.checkBackwards(query, all, size, context)
                }
            }
        }
    }

    /// Walks from the last page to the first one.
    private static func checkBackwards(
        _ query: Query<User>, _ all: [User], _ size: Int, _ context: ReadContext
    ) throws {
        var pages: [User] = []
        var token: PageToken?
        repeat {
            let page = try query.page(size: size, before: token, in: context)
            #expect(page.elements.count == size || page.previous == nil)
            #expect((page.next == nil) == (token == nil))
            if let next = page.next {
                let behind = try query.page(size: 1, after: next, in: context)
                #expect(behind.elements.first?.id == pages.first?.id)
            }
            pages = page.elements + pages
            token = page.previous
        } while token != nil
        #expect(pages.map(\.id) == all.map(\.id))
        // There and back.
        let second = try query.page(
            size: size, after: try query.page(size: size, in: context).next, in: context)
        if second.previous != nil {
            let first = try query.page(size: size, before: second.previous, in: context)
            #expect(first.elements.map(\.id) == all.prefix(size).map(\.id))
            #expect(first.previous == nil)
        }
    }

    @Test func `rows that come and go meanwhile move nothing`() async throws {
        try await withStore { dal in
            try await dal.write { context in
                for number in 0..<100 {
                    try User.create(in: context) {
                        $0.lastname = "\(number)"
                        $0.age = number * 2
                    }
                }
            }
            let query = User.order { $0.age.ascending }
            var token: PageToken?
            var seen: [Int] = []
            repeat {
                let after = token
                let page: Page<User> = try await dal.read {
                    try query.page(size: 10, after: after, in: $0)
                }
                seen += page.elements.map(\.age)
                token = page.next
                let last = seen.last ?? 0
                // Before the place where the next page begins, and at it.
                try await dal.write { context in
                    try User.deleteAll(where: { $0.age == last }, in: context)
                    try User.create(in: context) {
                        $0.lastname = "new \(last)"
                        $0.age = last - 1
                    }
                }
            } while token != nil
            #expect(seen == (0..<100).map { $0 * 2 })
        }
    }

    @Test func `a token of another query, a damaged one, and a useless size are refused`()
        async throws
    {
        try await withStore(.memory) { dal in
            try await dal.write { context in
                for number in 0..<5 { try User.create(in: context) { $0.lastname = "\(number)" } }
            }
            let first: Page<User> = try await dal.read {
                try User.order { $0.age.ascending }.page(size: 2, in: $0)
            }
            let token = try #require(first.next)
            let attempts: [@Sendable (ReadContext) throws -> Page<User>] = [
                { try User.order { $0.age.descending }.page(size: 2, after: token, in: $0) },
                { try User.query.page(size: 2, after: token, in: $0) },
                { try User.query.page(size: 2, after: PageToken(rawValue: "no"), in: $0) },
                { try User.query.page(size: 2, after: PageToken(rawValue: ""), in: $0) },
                { try User.query.page(size: 0, in: $0) },
                { try User.query.limit(3).page(size: 2, in: $0) },
            ]
            for attempt in attempts {
                let error = await #expect(throws: DataAccessError.self) {
                    _ = try await dal.read { try attempt($0).elements.count }
                }
                #expect(error?.code == .invalidRequest)
            }
        }
    }

    private typealias SpecimenKey = @Sendable (Specimen.Columns) -> Ordering<Specimen>

    /// A key of every type, optional or not, and computed ones.
    private static let typedKeys: [SpecimenKey] = [
        { $0.id.ascending }, { $0.number.ascending }, { $0.optionalNumber.descending },
        { $0.size.ascending }, { $0.optionalSize.descending }, { $0.text.ascending },
        { $0.optionalText.descending }, { $0.flag.ascending }, { $0.optionalFlag.ascending },
        { $0.date.descending }, { $0.optionalDate.ascending }, { $0.key.ascending },
        { $0.optionalKey.descending }, { $0.price.ascending }, { $0.optionalPrice.ascending },
        { $0.kind.descending }, { $0.optionalKind.ascending }, { $0.parent.ascending },
        { ($0.number % 3).ascending }, { ($0.size * 2).descending },
        { $0.text.caseInsensitive.ascending }, { $0.parent.text.ascending },
    ]

    /// Values of all storage classes as they stand in a token, and what is none of any.
    private static let tokenValues: [String] = [
        "{}", #"{"i":1}"#, #"{"r":4607182418800017408}"#, #"{"t":"1"}"#, #"{"b":[49]}"#,
        // Not a number; a text that no column can hold; two values at once.
        #"{"r":9221120237041090560}"#, #"{"t":"a\u0000"}"#, #"{"i":1,"t":"1"}"#,
    ]

    @Test(arguments: typedKeys.indices)
    func `a token is taken only with values that its sort keys can have`(
        number: Int
    ) async throws {
        let key = Self.typedKeys[number]
        let dal = try await DataAccessLayer.open(.inMemory, entities: Specimen.self)
        try await dal.write { context in
            let parent = try Specimen.create(in: context).id
            for _ in 1...3 {
                try Specimen.create(in: context) {
                    ($0.number, $0.optionalNumber, $0.size, $0.optionalSize) = (1, 1, 1, 1)
                    ($0.text, $0.optionalText, $0.flag, $0.optionalFlag) = ("1", "1", true, true)
                    ($0.optionalDate, $0.optionalKey, $0.price) = ($0.date, $0.key, 1)
                    ($0.optionalPrice, $0.optionalKind, $0.parent) = (1, .round, parent)
                }
            }
        }
        try await dal.read { context in
            let query = Specimen.where { $0.number == 1 }.order { [key($0)] }
            let token = try #require(try query.page(size: 1, in: context).next)
            let text = try Self.text(of: token)
            let start = try #require(text.range(of: #""v":["#)).upperBound
            let end = try #require(text.range(of: "]", options: .backwards)).lowerBound
            // Bytes have commas of their own.
            let values = text[start..<end].replacing("},{", with: "}\n{").split(separator: "\n")
            for position in values.indices {
                let own = try #require(values[position].split(separator: ":").first)
                for forged in Self.tokenValues {
                    var forgedValues = values.map { String($0) }
                    forgedValues[position] = forged
                    let forgedText =
                        text[..<start] + forgedValues.joined(separator: ",") + text[end...]
                    let forgedToken = PageToken(rawValue: Self.rawValue(String(forgedText)))
                    let isSound =
                        forged == "{}"
                        ? Self.mayBeEmpty(number, position)
                        : Self.tokenValues[1...4].contains(forged) && forged.hasPrefix(own)
                    let note: Comment = "\(forged) for \(values[position]) of \(text)"
                    if isSound {
                        #expect(throws: Never.self, note) {
                            _ = try query.page(size: 1, after: forgedToken, in: context)
                        }
                    } else {
                        let error = #expect(throws: DataAccessError.self, note) {
                            _ = try query.page(size: 1, after: forgedToken, in: context)
                        }
                        #expect(error?.code == .invalidRequest, note)
                    }
                }
            }
        }
        try await dal.close()
    }

    /// Whether a sort key may be without a value: those of optional columns, and computed ones.
    private static func mayBeEmpty(_ number: Int, _ position: Int) -> Bool {
        position == 0 && [2, 4, 6, 8, 10, 12, 14, 16, 17, 18, 19, 20, 21].contains(number)
    }

    private static func text(of token: PageToken) throws -> String {
        var text = token.rawValue.replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        return String(decoding: try #require(Data(base64Encoded: text)), as: UTF8.self)
    }

    private static func rawValue(_ text: String) -> String {
        Data(text.utf8).base64EncodedString().replacing("+", with: "-")
            .replacing("/", with: "_").replacing("=", with: "")
    }

    @Test func `a walk calls for every row of one version, in order`() async throws {
        try await withStore { dal in
            try await dal.write { context in
                for number in 0..<2500 {
                    try User.create(in: context) {
                        $0.lastname = "\(number)"
                        $0.age = -number
                    }
                }
            }
            try await dal.read { context in
                var ages: [Int] = []
                let query = User.where { $0.age > -2000 }.order { $0.age.ascending }
                try query.each(batchSize: 300, in: context) { user throws in
                    ages.append(user.age)
                    if ages.count % 700 == 0 { #expect(try User.count(in: context) == 2500) }
                }
                #expect(ages == Array(-1999...0))
            }
        }
    }

    @Test func `a walk ends when its closure throws`() async throws {
        struct Enough: Error {}
        try await withStore { dal in
            try await dal.write { context in
                for number in 0..<50 { try User.create(in: context) { $0.lastname = "\(number)" } }
            }
            try await dal.read { context throws in
                var count = 0
                #expect(throws: Enough.self) {
                    try User.each(batchSize: 7, in: context) { _ in
                        count += 1
                        if count == 20 { throw Enough() }
                    }
                }
                #expect(count == 20)
                #expect(try User.count(in: context) == 50)
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `a walk of a write changes rows batch by batch and keeps what is held`(
        _ place: Place
    ) async throws {
        try await withStore(place) { dal in
            try await dal.write { context in
                for number in 0..<1000 {
                    try User.create(in: context) { $0.lastname = "\(number)" }
                }
            }
            try await dal.write { context in
                var kept: [Managed<User>] = []
                try User.each(batchSize: 3, in: context) { user in
                    user.age += 1
                    if user.id.rawValue % 100 == 0 { kept.append(user) }
                    if user.id.rawValue % 250 == 0 { try user.delete() }
                }
                #expect(kept.count == 10)
                for user in kept where !user.isDeleted {
                    #expect(try User.find(user.id, in: context) === user)
                    user.age += 1
                }
            }
            let ages: [(Int, Int)] = try await dal.read {
                try User.grouped { $0.age }.select { $0.id.count }.all(in: $0).map {
                    ($0.key, $0.value)
                }
            }
            #expect(ages.map(\.0) == [1, 2])
            #expect(ages.map(\.1) == [988, 8])
        }
    }

    @Test func `a walk of a write has its limit and offset`() async throws {
        try await withStore(.memory) { dal in
            try await dal.write { context in
                for number in 0..<100 {
                    try User.create(in: context) {
                        $0.lastname = "\(number)"
                        $0.age = number
                    }
                }
                var ages: [Int] = []
                let query = User.order { $0.age.descending }.limit(25).offset(10)
                try query.each(batchSize: 10, in: context) { ages.append($0.age) }
                #expect(ages == (65...89).reversed())
            }
        }
    }
}
