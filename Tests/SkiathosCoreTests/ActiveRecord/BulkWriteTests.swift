import Foundation
import Skiathos
import SkiathosTesting
import Testing

/// Writes of so many objects that one statement takes them all.
struct BulkWriteTests {
    @Test(arguments: Place.allCases)
    func `ten thousand objects are inserted, changed in turn and deleted`(
        _ place: Place
    ) async throws {
        try await withStore(place) { dal in
            try await dal.write { context in
                for number in 1...10_000 {
                    try User.create(in: context) {
                        $0.firstname = "Ada \(number)"
                        $0.email = "user.\(number)@example.org"
                        $0.age = number
                        $0.role = number % 2 == 0 ? .owner : .guest
                    }
                }
            }
            try await dal.write { context in
                for user in try User.all(in: context) {
                    // Three sets of columns, in turn.
                    if user.age % 3 == 0 { user.email = nil }
                    if user.age % 3 == 1 { user.score = 0.5 }
                    user.lastname = "Lovelace"
                }
                try context.flush(thenChange: 7)
            }
            let users: [User] = try await dal.read { try User.all(in: $0) }
            #expect(users.count == 10_000)
            #expect(
                users.allSatisfy {
                    $0.lastname == ($0.age == 7 ? "Byron" : "Lovelace")
                        && $0.email
                            == ($0.age % 3 == 0 ? nil : "user.\($0.age)@example.org")
                        && $0.score == ($0.age % 3 == 1 ? 0.5 : 0)
                        && $0.firstname == "Ada \($0.age)"
                })
            try await dal.write { context in
                for user in try User.all(in: context) where user.age != 5_000 {
                    try user.delete()
                }
            }
            let rest: [User] = try await dal.read { try User.all(in: $0) }
            #expect(rest.map(\.age) == [5_000])
        }
    }

    @Test(arguments: Place.allCases, [300, 2_000])
    func
        `a row in the middle that breaks a rule leaves none of them, and the write before them all`(
            _ place: Place, _ count: Int
        ) async throws
    {
        try await withStore(place) { dal in
            // Merged, so that the failing write finds an open batch.
            let ids = try await dal.write(acknowledging: .merged) { context in
                try (0..<count).map { number in
                    try User.create(in: context) { $0.age = number }.id
                }
            }
            let inserting = await #expect(throws: StoreError.self) {
                try await dal.write { context in
                    for number in 0..<count {
                        try User.create(in: context) {
                            $0.firstname = "New"
                            $0.age = number
                            $0.email = number == count / 2 || number == 3 ? "same" : nil
                        }
                    }
                }
            }
            #expect(inserting?.code == .uniqueViolation)
            let updating = await #expect(throws: StoreError.self) {
                try await dal.write { context in
                    for user in try User.all(in: context) {
                        user.score = user.age == count / 2 ? .nan : 1
                    }
                }
            }
            #expect(updating?.code == .invalidValue)
            let users: [User] = try await dal.read { try User.all(in: $0) }
            #expect(users.map(\.id) == ids)
            #expect(users.allSatisfy { $0.score == 0 && $0.firstname.isEmpty })
        }
    }

    @Test(arguments: Place.allCases)
    func `IDs that are text or UUIDs make no difference`(_ place: Place) async throws {
        try await withStore(place) { dal in
            try await dal.write { context in
                for number in 1...100 {
                    let continent = try Continent.create(in: context) { $0.name = "C\(number)" }
                    try Country.create(id: .init(rawValue: "K\(number)"), in: context) {
                        $0.continent = continent.id
                    }
                }
            }
            try await dal.write { context in
                for continent in try Continent.all(in: context) { continent.name += "x" }
                for country in try Country.all(in: context) { country.name = "Greece" }
            }
            try await dal.write { context in
                for continent in try Continent.all(in: context) where continent.name != "C7x" {
                    try continent.delete()
                }
            }
            let rest: ([Continent], [Country]) = try await dal.read {
                (try Continent.all(in: $0), try Country.all(in: $0))
            }
            #expect(rest.0.map(\.name) == ["C7x"])
            #expect(rest.1.map(\.name) == ["Greece"])
            #expect(rest.1.map(\.id.rawValue) == ["K7"])
        }
    }

    @Test func `rows may refer to rows of their own entity in one write`() async throws {
        try await withStore { dal in
            try await dal.write { context in
                var parent: Specimen.ID?
                for number in 1...200 {
                    let specimen = try Specimen.create(in: context) { $0.number = number }
                    specimen.parent = parent
                    parent = specimen.id
                }
            }
            try await dal.write { context in
                for specimen in try Specimen.all(in: context) where specimen.number > 100 {
                    try specimen.delete()
                }
            }
            let rest: [Specimen] = try await dal.read { try Specimen.all(in: $0) }
            #expect(rest.count == 100)
            #expect(rest.filter { $0.parent == nil }.map(\.number) == [1])
        }
    }

    @Test(arguments: Place.allCases)
    func `a value in the middle that cannot be stored names its column and leaves nothing`(
        _ place: Place
    ) async throws {
        try await withStore(place) { dal in
            try await dal.write { context in
                for number in 1...100 { try User.create(in: context) { $0.age = number } }
            }
            let writes: [@Sendable (WriteContext) throws -> Void] = [
                { context in
                    for user in try User.all(in: context) {
                        user.score = user.age == 50 ? .nan : 1
                    }
                },
                { context in
                    for number in 1...100 {
                        try User.create(in: context) {
                            $0.lastname = "\(number)"
                            $0.score = number == 50 ? .nan : 1
                        }
                    }
                },
            ]
            for write in writes {
                let error = await #expect(throws: StoreError.self) { try await dal.write(write) }
                #expect(error?.code == .invalidValue)
                #expect(error?.entity == "user")
                #expect(error?.columns == ["score"])
            }
            let users: [User] = try await dal.read { try User.all(in: $0) }
            #expect(users.map(\.age) == Array(1...100))
            #expect(users.allSatisfy { $0.score == 0 })
        }
    }

    @Test(arguments: Place.allCases)
    func `unique values are exchanged among many and a stolen one is refused`(
        _ place: Place
    ) async throws {
        try await withStore(place) { dal in
            try await dal.write { context in
                for number in 0..<300 {
                    try User.create(in: context) {
                        $0.age = number
                        $0.email = "\(number)"
                    }
                }
            }
            try await dal.write { context in
                for user in try User.all(in: context) { user.email = "\((user.age + 1) % 300)" }
            }
            let error = await #expect(throws: StoreError.self) {
                try await dal.write { context in
                    for user in try User.all(in: context) where user.age < 299 {
                        // The user aged 299 has the 0 and keeps it.
                        user.email = user.age == 150 ? "0" : "\(user.age + 2)"
                    }
                }
            }
            #expect(error?.code == .uniqueViolation)
            #expect(error?.columns == ["email"])
            let users: [User] = try await dal.read { try User.all(in: $0) }
            #expect(users.allSatisfy { $0.email == "\(($0.age + 1) % 300)" })
        }
    }
}

extension WriteContext {
    /// Flushes by a query, and changes one object after that.
    fileprivate func flush(thenChange age: Int) throws {
        _ = try User.count(in: self)
        let user = try User.where { $0.age == age }.first(in: self)
        user?.lastname = "Byron"
    }
}
