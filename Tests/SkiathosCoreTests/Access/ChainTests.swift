import Skiathos
import TestSupport
import Testing

struct ChainTests {
    private struct Refused: Error {}

    @Test(arguments: Place.allCases)
    func `steps hand their values on, in tasks`(_ place: Place) async throws {
        try await withStore(place) { dal in
            let chain: Chained<User.ID> = try await dal.write { try User.create(in: $0).id }
            let name =
                try await chain
                .write { (context, id) -> User.ID in
                    try User.find(id, in: context)?.firstname = "Ada"
                    return id
                }
                .read { context, id in try User.find(id, in: context)?.firstname }
            #expect(name == "Ada")
            #expect(chain.value.rawValue > 0)
            try await dal
                .write { try User.deleteAll(in: $0) }
                .write { try User.create(in: $0) { $0.age = 3 } }
                .read { context in
                    let ages = try User.all(in: context).map(\.age)
                    #expect(ages == [3])
                }
        }
    }

    @Test func `a failing step leaves the steps before it as they are`() async throws {
        try await withStore { dal in
            await #expect(throws: Refused.self) {
                try await dal
                    .write { try User.create(in: $0) }
                    .write { context in
                        try User.create(in: context) { $0.age = 1 }
                        throw Refused()
                    }
                    .write { try User.create(in: $0) { $0.age = 2 } }
            }
            let ages: [Int] = try await dal.read { try User.all(in: $0).map(\.age) }
            #expect(ages == [0])
        }
    }

    @Test func `every step of a chain has a synchronous form`() async throws {
        let store = try TemporaryStore()
        try await onThread {
            let dal = try DataAccessLayer(
                .sqlite(store.path), entities: User.self, Company.self)
            try dal.write { try User.create(in: $0) }
                .write { try User.create(in: $0) { $0.age = 1 } }
                .read { context in
                    let count = try User.count(in: context)
                    #expect(count == 2)
                }
            let ages: [Int] = try dal.read { try User.all(in: $0).map(\.age).sorted() }
            #expect(ages == [0, 1])
            try dal.flush()
            #expect(try dal.integrityProblems() == [])
            try dal.reset()
            let count: Int = try dal.read { try User.count(in: $0) }
            #expect(count == 0)
            try dal.close()
        }
    }
}
