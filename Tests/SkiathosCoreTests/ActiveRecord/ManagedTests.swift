import Foundation
import Skiathos
import Testing

struct ManagedTests {
    @Test(arguments: [false, true])
    func `discarding gives a fetched object its first value back`(isFlushed: Bool) async throws {
        try await withStore { dal in
            let id = try await dal.write { try User.create(in: $0) { $0.age = 1 }.id }
            try await dal.write { context in
                let user = try #require(try User.find(id, in: context))
                user.age = 2
                user.firstname = "x"
                if isFlushed { _ = try User.count(in: context) }
                user.age = 3
                #expect(user.changedColumns == ["firstname", "age"])
                try user.discardChanges()
                #expect(user.age == 1)
                #expect(user.firstname == "")
                #expect(user.changedColumns == [])
                user.score = 5
            }
            let user: User? = try await dal.read { try User.find(id, in: $0) }
            #expect(user == User(id: id, age: 1, score: 5))
        }
    }

    @Test func `an object is printed with its ID and its changed columns, and without values`()
        async throws
    {
        try await withStore { dal in
            let id = try await dal.write { try User.create(in: $0) { $0.firstname = "secret" }.id }
            try await dal.write { context in
                let user = try #require(try User.find(id, in: context))
                #expect("\(user)" == "User \(id)")
                user.age = 2
                user.firstname = "other secret"
                #expect("\(user)" == "User \(id), changed: firstname, age")
                let new = try User.create(in: context)
                #expect("\(new)" == "User \(new.id), new")
                try user.delete()
                #expect("\(user)" == "User \(id), deleted")
            }
        }
    }

    @Test(arguments: [false, true])
    func `discarding brings a deleted object back and a created one away`(
        isFlushed: Bool
    ) async throws {
        try await withStore { dal in
            let id = try await dal.write { try User.create(in: $0) { $0.age = 1 }.id }
            try await dal.write { context in
                let user = try #require(try User.find(id, in: context))
                let new = try User.create(in: context) { $0.age = 2 }
                #expect(new.changedColumns.contains("age"))
                user.age = 9
                try user.delete()
                if isFlushed {
                    let count = try User.count(in: context)
                    #expect(count == 1)
                }
                #expect(try User.find(id, in: context) == nil)
                try user.discardChanges()
                try new.discardChanges()
                #expect(!user.isDeleted)
                #expect(new.isDeleted)
                #expect(try User.find(id, in: context) === user)
            }
            let users: [User] = try await dal.read { try User.all(in: $0) }
            #expect(users == [User(id: id, age: 1)])
        }
    }

    @Test(arguments: Place.allCases)
    func `rules of deletion reach the objects that the write holds`(_ place: Place) async throws {
        try await withStore(place) { dal in
            try await dal.write { context in
                let company = try Company.create(in: context)
                let user = try User.create(in: context) { $0.company = company.id }
                let europe = try Continent.create(in: context)
                let greece = try Country.create(id: "GR", in: context) { $0.continent = europe.id }
                _ = try User.count(in: context)
                try company.delete()
                try europe.delete()
                _ = try User.count(in: context)
                #expect(user.company == nil)
                #expect(greece.isDeleted)
            }
            let countries: Int = try await dal.read { try Country.count(in: $0) }
            let users: [User] = try await dal.read { try User.all(in: $0) }
            #expect(countries == 0)
            #expect(users.map(\.company) == [nil])
        }
    }

    @Test func `an ID can be used again in the write that deleted its row`() async throws {
        try await withStore { dal in
            try await dal.write { try Country.create(id: "GR", in: $0) { $0.name = "old" } }
            try await dal.write { context in
                try Country.find("GR", in: context)?.delete()
                try Country.create(id: "GR", in: context) { $0.name = "new" }
            }
            let names: [String] = try await dal.read { try Country.all(in: $0).map(\.name) }
            #expect(names == ["new"])
        }
    }

    @Test func `IDs made of time and chance are new each time and ascend`() async throws {
        try await withStore { dal in
            let ids: [Continent.ID] = try await dal.write { context in
                try (0..<100).map { _ in try Continent.create(in: context).id }
            }
            #expect(Set(ids).count == 100)
            let found = try await dal.read { try Continent.find(ids, in: $0) }
            #expect(found.missing == [])
            #expect(found.found.map(\.id) == ids)
            for id in ids {
                #expect(id.rawValue.uuid.6 >> 4 == 7)
                #expect(id.rawValue.uuid.8 >> 6 == 2)
            }
        }
    }

    @Test func `a chosen integer ID is never handed out again`() async throws {
        try await withStore { dal in
            let next = try await dal.write { context in
                try User.create(id: 1000, in: context)
                try User.insert(User(id: 2000, age: 1), in: context)
                return try User.create(in: context) { $0.age = 2 }.id
            }
            #expect(next == 2001)
        }
    }

    @Test func `nested scopes in nested scopes are rolled back one by one`() async throws {
        struct Refused: Error {}
        try await withStore { dal in
            let id = try await dal.write { try User.create(in: $0).id }
            try await dal.write { context in
                let user = try #require(try User.find(id, in: context))
                user.age = 1
                try context.nested { middle in
                    user.age = 2
                    #expect(throws: Refused.self) {
                        try middle.nested { inner in
                            user.age = 3
                            try user.delete()
                            try User.create(in: inner) { $0.age = 4 }
                            throw Refused()
                        }
                    }
                    #expect(user.age == 2)
                    #expect(!user.isDeleted)
                }
                #expect(throws: Refused.self) {
                    try context.nested { middle in
                        try middle.nested { _ in user.age = 5 }
                        #expect(user.age == 5)
                        throw Refused()
                    }
                }
                #expect(user.age == 2)
            }
            let ages: [Int] = try await dal.read { try User.all(in: $0).map(\.age) }
            #expect(ages == [2])
        }
    }
}
