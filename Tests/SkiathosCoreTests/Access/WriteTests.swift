import Skiathos
import SkiathosTesting
import Testing

struct WriteTests {
    @Test(arguments: Place.allCases)
    func `every later read sees what a write has returned`(_ place: Place) async throws {
        try await withStore(place) { dal in
            let id = try await dal.write { context in
                try User.create(in: context) { $0.firstname = "Ada" }.id
            }
            let user = try await dal.read { try User.find(id, in: $0) }
            #expect(user?.firstname == "Ada")
            #expect(user?.id == id)
        }
    }

    @Test(arguments: Place.allCases)
    func `a failing write changes nothing and the next one succeeds`(_ place: Place) async throws {
        struct Refused: Error {}
        try await withStore(place) { dal in
            await #expect(throws: Refused.self) {
                try await dal.write { context in
                    try User.create(in: context) { $0.firstname = "Ada" }
                    _ = try User.count(in: context)
                    throw Refused()
                }
            }
            #expect(try await dal.read { try User.count(in: $0) } == 0)
            try await dal.write { try User.create(in: $0) { $0.firstname = "Bob" } }
            #expect(try await dal.read { try User.all(in: $0).map(\.firstname) } == ["Bob"])
        }
    }

    @Test func `a violated unique key names entity and column and rolls its write back`()
        async throws
    {
        try await withStore { dal in
            try await dal.write { try User.create(in: $0) { $0.email = "ada@example.org" } }
            let error = await #expect(throws: StoreError.self) {
                try await dal.write { context in
                    try User.create(in: context) { $0.firstname = "Other" }
                    try User.create(in: context) {
                        $0.age = 3
                        $0.email = "ada@example.org"
                    }
                }
            }
            #expect(error?.code == .uniqueViolation)
            #expect(error?.entity == "user")
            #expect(error?.columns == ["email"])
            #expect(try await dal.read { try User.count(in: $0) } == 1)
        }
    }

    @Test func `a write has one object for each ID`() async throws {
        try await withStore { dal in
            let id = try await dal.write { try User.create(in: $0).id }
            try await dal.write { context in
                let first = try #require(try User.find(id, in: context))
                first.age = 40
                let second = try #require(try User.first(where: { $0.age == 40 }, in: context))
                #expect(first === second)
            }
            #expect(try await dal.read { try User.find(id, in: $0)?.age } == 40)
        }
    }

    @Test func `a query in a write sees the write's own pending changes`() async throws {
        try await withStore { dal in
            try await dal.write { context in
                let ada = try User.create(in: context) { $0.firstname = "Ada" }
                #expect(try User.exists(where: { $0.firstname == "Ada" }, in: context))
                ada.firstname = "Grace"
                #expect(try User.count(where: { $0.firstname == "Ada" }, in: context) == 0)
                try ada.delete()
                #expect(try User.count(in: context) == 0)
            }
        }
    }

    @Test func `a failing nested scope rolls back the inner part only`() async throws {
        struct Refused: Error {}
        try await withStore { dal in
            try await dal.write { context in
                let user = try User.create(in: context) { $0.firstname = "outer" }
                do {
                    try context.nested { inner in
                        user.firstname = "inner"
                        try Company.create(in: inner) { $0.name = "inner" }
                        #expect(try Company.count(in: inner) == 1)
                        throw Refused()
                    }
                } catch is Refused {}
                #expect(user.firstname == "outer")
                #expect(try Company.count(in: context) == 0)
            }
            #expect(try await dal.read { try User.all(in: $0).map(\.firstname) } == ["outer"])
        }
    }

    @Test func `IDs are never used again, not even after closing`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("ids.sqlite")
        let first = try await DataAccessLayer.fixture(at: path)
        let last = try await first.write { context in
            try User.create(in: context)
            return try User.create(in: context) { $0.age = 1 }.id
        }
        try await first.write { try User.find(last, in: $0)?.delete() }
        try await first.close()
        let second = try await DataAccessLayer.fixture(at: path)
        let next = try await second.write { try User.create(in: $0) { $0.age = 2 }.id }
        #expect(next.rawValue == last.rawValue + 1)
        try await second.close()
    }

    @Test func `unique values can be exchanged in one write`() async throws {
        try await withStore { dal in
            try await dal.write { context in
                try Company.create(in: context) { $0.name = "a" }
                try Company.create(in: context) { $0.name = "b" }
            }
            try await dal.write { context in
                let companies = try Company.all(orderedBy: { [$0.id.ascending] }, in: context)
                companies[0].name = "b"
                companies[1].name = "a"
            }
            let names = try await dal.read {
                try Company.all(orderedBy: { [$0.id.ascending] }, in: $0).map(\.name)
            }
            #expect(names == ["b", "a"])
        }
    }

    @Test func `a reference to nothing names its column`() async throws {
        try await withStore { dal in
            let error = await #expect(throws: StoreError.self) {
                try await dal.write { try User.create(in: $0) { $0.company = 99 } }
            }
            #expect(error?.code == .foreignKeyViolation)
            #expect(error?.columns == ["company"])
        }
    }

    @Test func `upsert changes the row with the same unique key or inserts`() async throws {
        try await withStore { dal in
            let first = try await dal.write { context in
                try User.upsert(User(firstname: "Ada", email: "a@b.c"), by: \.email, in: context).id
            }
            let second = try await dal.write { context in
                try User.upsert(
                    User(firstname: "Augusta", email: "a@b.c"), by: \.email, in: context
                ).id
            }
            #expect(first == second)
            #expect(try await dal.read { try User.all(in: $0).map(\.firstname) } == ["Augusta"])
        }
    }

    @Test func `set-based writes bring held objects up to date`() async throws {
        try await withStore { dal in
            try await dal.write { context in
                let old = try User.create(in: context) { $0.age = 70 }
                let young = try User.create(in: context) { $0.age = 20 }
                let changed = try User.update(
                    where: { $0.age >= 65 }, set: { [$0.score.set(to: 1.5), $0.age.add(1)] },
                    in: context)
                #expect(changed == 1)
                #expect(old.score == 1.5)
                #expect(old.age == 71)
                #expect(try User.deleteAll(where: { $0.age < 30 }, in: context) == 1)
                #expect(young.isDeleted)
            }
        }
    }

    @Test func `a chain hands each value on, synchronously too`() throws {
        let dal = try DataAccessLayer(.inMemory, entities: User.self, Company.self)
        let name = try dal.write { try User.create(in: $0) { $0.firstname = "Ada" }.id }
            .write { context, id in
                try User.find(id, in: context)?.lastname = "Lovelace"
                return id
            }
            .read { context, id in try User.find(id, in: context)?.fullName }
        #expect(name == "Ada Lovelace")
        try dal.write { _ = try User.deleteAll(in: $0) }
            .read { (context: ReadContext) throws -> Void in
                let count = try User.count(in: context)
                #expect(count == 0)
            }
        try dal.close()
    }
}
