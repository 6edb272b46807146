import Foundation
import Skiathos
import Testing

struct UpsertTests {
    @Test(arguments: Place.allCases)
    func `a key of several columns, in any order, finds its row`(_ place: Place) async throws {
        try await withStore(place) { dal in
            let ids: [User.ID] = try await dal.write { context in
                var user = User(firstname: "Ada", lastname: "Lovelace", age: 36, score: 1)
                let first = try User.upsert(
                    user, by: \.age, \.firstname, \.lastname, in: context)
                user.score = 2
                let second = try User.upsert(
                    user, by: \.lastname, \.age, \.firstname, in: context)
                #expect(first === second)
                user.age = 37
                return [
                    first.id,
                    try User.upsert(user, by: \.firstname, \.lastname, \.age, in: context).id,
                ]
            }
            let scores: [Double] = try await dal.read { context in
                try User.find(ids, in: context).found.map(\.score)
            }
            #expect(scores == [2, 2])
            #expect(ids[0] != ids[1])
        }
    }

    @Test(arguments: Place.allCases)
    func `an upsert without key paths goes by the ID`(_ place: Place) async throws {
        try await withStore(place) { dal in
            for name in ["Greece", "Hellas"] {
                try await dal.write { context in
                    var country = Country(id: "GR")
                    country.name = name
                    try Country.upsert(country, in: context)
                }
            }
            let names: [String] = try await dal.read { try Country.all(in: $0).map(\.name) }
            #expect(names == ["Hellas"])
        }
    }

    @Test func `a key without a value equals no row`() async throws {
        try await withStore { dal in
            for age in 0..<2 {
                try await dal.write { context in
                    try User.upsert(User(age: age), by: \.email, in: context)
                }
            }
            let count: Int = try await dal.read { try User.count(in: $0) }
            #expect(count == 2)
        }
    }

    @Test func `nothing changes where the row holds the value already`() async throws {
        try await withStore { dal in
            let user = User(firstname: "Ada", email: "a@b.c")
            try await dal.write { context in try User.upsert(user, by: \.email, in: context) }
            try await dal.write { context in
                let changed = try User.upsert(user, by: \.email, in: context).changedColumns
                #expect(changed == [])
            }
        }
    }

    @Test func `columns that are no unique key, or no columns, are refused`() async throws {
        try await withStore { dal in
            let writes: [@Sendable (WriteContext) throws -> Void] = [
                { try User.upsert(User(), by: \.age, in: $0) },
                { try User.upsert(User(), by: \.firstname, \.lastname, in: $0) },
                { try User.upsert(User(), by: \.fullName, in: $0) },
            ]
            for write in writes {
                let error = await #expect(throws: DataAccessError.self) {
                    try await dal.write(write)
                }
                #expect(error?.code == .invalidRequest)
            }
        }
    }
}
