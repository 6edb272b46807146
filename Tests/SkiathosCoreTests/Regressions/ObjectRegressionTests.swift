import Foundation
import Skiathos
import SkiathosStore
import SkiathosTesting
import Testing

/// Objects of a write that once met another row than theirs.
struct ObjectRegressionTests {
    private struct Refused: Error {}

    /// "é" in one scalar and in two.
    private let composed = "caf\u{e9}"
    private let decomposed = "cafe\u{301}"

    @Test(arguments: Place.allCases)
    func `texts that are equal only canonically are two IDs`(_ place: Place) async throws {
        #expect(Country.ID(rawValue: composed) != Country.ID(rawValue: decomposed))
        #expect(StoreValue.text(composed) != StoreValue.text(decomposed))
        let (composed, decomposed) = (
            Country.ID(rawValue: composed), Country.ID(rawValue: decomposed)
        )
        #expect(Set([composed, decomposed]).count == 2)
        #expect((composed < decomposed) != (decomposed < composed))
        try await withStore(place) { dal in
            try await dal.write { context in
                try Country.create(id: composed, in: context) { $0.name = "one" }
                #expect(try Country.find(decomposed, in: context) == nil)
                try Country.create(id: decomposed, in: context) { $0.name = "two" }
            }
            for _ in 0..<2 {
                let names = try await dal.read { context in
                    [
                        try Country.find(composed, in: context)?.name,
                        try Country.find(decomposed, in: context)?.name,
                    ]
                }
                #expect(names == ["one", "two"])
            }
            try await dal.write { context in
                _ = try Country.find(composed, in: context)
                try Country.find(decomposed, in: context)?.delete()
                let found = try Country.find([decomposed, composed], in: context)
                #expect(found.missing == [decomposed])
                #expect(found.found.map(\.name) == ["one"])
            }
            let names: [String] = try await dal.read { try Country.all(in: $0).map(\.name) }
            #expect(names == ["one"])
        }
    }

    @Test(arguments: Place.allCases)
    func `an object that a failed scope has made stays gone when its changes are discarded`(
        _ place: Place
    ) async throws {
        try await withStore(place) { dal in
            try await dal.write { context in
                var ghost: Managed<User>?
                try? context.nested { inner in
                    ghost = try User.create(in: inner) { $0.age = 7 }
                    _ = try User.count(in: inner)
                    throw Refused()
                }
                try ghost?.discardChanges()
                #expect(ghost?.isDeleted == true)
            }
            let count: Int = try await dal.read { try User.count(in: $0) }
            #expect(count == 0)
        }
    }

    @Test(arguments: [false, true])
    func `deleting an object whose ID was changed deletes no other row`(
        inValue: Bool
    ) async throws {
        try await withStore { dal in
            let ids = try await dal.write { context in
                try (1...2).map { age in try User.create(in: context) { $0.age = age }.id }
            }
            let error = await #expect(throws: DataAccessError.self) {
                try await dal.write { context in
                    let user = try #require(try User.find(ids[0], in: context))
                    if inValue {
                        user[dynamicMember: \.self] = User(id: ids[1])
                    } else {
                        user[dynamicMember: \.id] = ids[1]
                    }
                    try user.delete()
                }
            }
            #expect(error?.code == .invalidID)
            let count: Int = try await dal.read { try User.count(in: $0) }
            #expect(count == 2)
        }
    }

    @Test func `a deleted object does not come back beside another one with its ID`() async throws {
        try await withStore { dal in
            try await dal.write { try Country.create(id: "GR", in: $0) { $0.name = "old" } }
            try await dal.write { context in
                let old = try #require(try Country.find("GR", in: context))
                try old.delete()
                let new = try Country.create(id: "GR", in: context) { $0.name = "new" }
                let error = #expect(throws: StoreError.self) { try old.discardChanges() }
                #expect(error?.code == .uniqueViolation)
                #expect(try Country.find("GR", in: context) === new)
                try new.delete()
                try old.discardChanges()
                #expect(try Country.find("GR", in: context) === old)
            }
            let names: [String] = try await dal.read { try Country.all(in: $0).map(\.name) }
            #expect(names == ["old"])
        }
    }

    @Test func `a change after a deletion that was discarded is stored`() async throws {
        try await withStore { dal in
            let id = try await dal.write { try User.create(in: $0) { $0.age = 1 }.id }
            try await dal.write { context in
                let user = try #require(try User.find(id, in: context))
                try user.delete()
                try user.discardChanges()
                user.age = 2
            }
            let age: Int? = try await dal.read { try User.find(id, in: $0)?.age }
            #expect(age == 2)
        }
    }

    @Test func `a failed scope that took the ID of a row leaves that row to be found`() async throws
    {
        try await withStore { dal in
            try await dal.write { try Country.create(id: "GR", in: $0) { $0.name = "there" } }
            try await dal.write { context in
                #expect(throws: StoreError.self) {
                    try context.nested { try Country.create(id: "GR", in: $0) }
                }
                let found = try Country.find("GR", in: context)
                #expect(found?.name == "there")
                let names = try Country.all(in: context).map(\.name)
                #expect(names == ["there"])
            }
        }
    }

    @Test(arguments: Place.allCases, [false, true])
    func `a new row that refers to a deleted one follows the rule, with a query or without`(
        _ place: Place, isQueried: Bool
    ) async throws {
        try await withStore(place) { dal in
            let (company, europe) = try await dal.write { context in
                (try Company.create(in: context).id, try Continent.create(in: context).id)
            }
            try await dal.write { context in
                let user = try User.create(in: context) { $0.company = company }
                try Country.create(id: "GR", in: context) { $0.continent = europe }
                if isQueried { _ = try User.count(in: context) }
                try Company.find(company, in: context)?.delete()
                try Continent.find(europe, in: context)?.delete()
                if isQueried { _ = try User.count(in: context) }
                user.age = 5
                #expect(user.company == nil)
                #expect(try Country.find("GR", in: context) == nil)
            }
            let users: [User] = try await dal.read { try User.all(in: $0) }
            #expect(users.map(\.company) == [nil])
            #expect(users.map(\.age) == [5])
        }
    }

    @Test(arguments: [false, true])
    func `a reference to a row that was deleted before fails, with a query or without`(
        isQueried: Bool
    ) async throws {
        try await withStore { dal in
            let company = try await dal.write { try Company.create(in: $0).id }
            let user = try await dal.write { try User.create(in: $0) { $0.company = company }.id }
            let error = await #expect(throws: StoreError.self) {
                try await dal.write { context in
                    let user = try #require(try User.find(user, in: context))
                    try Company.find(company, in: context)?.delete()
                    if isQueried { _ = try User.count(in: context) }
                    user.company = company
                }
            }
            #expect(error?.code == .foreignKeyViolation)
        }
    }

    @Test(arguments: [false, true])
    func `a row that takes the place of a deleted one can be referred to`(
        isQueried: Bool
    ) async throws {
        try await withStore { dal in
            let company = try await dal.write { try Company.create(in: $0) { $0.name = "a" }.id }
            let user = try await dal.write { try User.create(in: $0) { $0.company = company }.id }
            try await dal.write { context in
                let user = try #require(try User.find(user, in: context))
                try Company.find(company, in: context)?.delete()
                if isQueried { _ = try User.count(in: context) }
                try Company.create(id: company, in: context) { $0.name = "b" }
                user.company = company
            }
            let name: String? = try await dal.read { context in
                try User.find(user, in: context)?.related(\.company, in: context)?.name
            }
            #expect(name == "b")
        }
    }
}
