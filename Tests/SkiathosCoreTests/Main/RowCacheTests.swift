import Skiathos
import SkiathosStore
import Synchronization
import TestSupport
import Testing

@testable import SkiathosCore

@Suite(.generousTimeLimit) struct RowCacheTests {
    @Test func `a row that was looked up is kept as it is in the version of the read`() async throws
    {
        try await withStore(.file) { dal in
            let id = try await dal.write { try User.create(in: $0) { $0.firstname = "Ada" }.id }
            #expect(try dal.keptUser(id) == nil)
            let user: User? = try await dal.read { try User.find(id, in: $0) }
            #expect(user?.firstname == "Ada")
            #expect(try dal.keptUser(id) == user)
            let again: User? = try await dal.read { try User.find(id, in: $0) }
            #expect(again == user)
        }
    }

    @Test(arguments: Change.allCases)
    func `a commit removes what it has changed from the cache`(_ change: Change) async throws {
        try await withStore(.file) { dal in
            let ids = try await dal.makeColleagues()
            for id in ids { _ = try await dal.read { try User.find(id, in: $0) } }
            #expect(try dal.keptUser(ids[0]) != nil)
            try await dal.write { try change.run(on: ids[0], in: $0) }
            #expect(try dal.keptUser(ids[0]) == nil)
            // Objects name their rows; whatever else changes some may have changed all.
            #expect(try (dal.keptUser(ids[1]) != nil) == change.namesItsRows)
            for id in ids {
                let (found, queried): (User?, User?) = try await dal.read { context in
                    (
                        try User.find(id, in: context),
                        try User.first(where: { $0.id == id }, in: context)
                    )
                }
                #expect(found == queried)
            }
        }
    }

    @Test func `a write that fails or changes nothing removes nothing from the cache`() async throws
    {
        try await withStore(.file) { dal in
            let id = try await dal.write { try User.create(in: $0).id }
            let user: User? = try await dal.read { try User.find(id, in: $0) }
            struct Refusal: Error {}
            await #expect(throws: Refusal.self) {
                try await dal.write { (context: WriteContext) -> Void in
                    try User.find(id, in: context)?.age = 7
                    _ = try User.count(in: context)
                    throw Refusal()
                }
            }
            try await dal.write { _ = try User.find(id, in: $0) }
            #expect(try dal.keptUser(id) == user)
        }
    }

    @Test func `a merged and uncommitted row is never read from the cache`() async throws {
        try await withStore(.file) { dal in
            let id = try await dal.write { try User.create(in: $0).id }
            _ = try await dal.read { try User.find(id, in: $0) }
            for age in 1...20 {
                try await dal.write(acknowledging: .merged) { try User.find(id, in: $0)?.age = age }
                let seen: Int? = try await dal.read { try User.find(id, in: $0)?.age }
                #expect(seen == age)
            }
        }
    }

    @Test func `rows are kept from the first read on, before anything was committed`() async throws
    {
        let store = try TemporaryStore()
        var dal = try await store.open()
        let id = try await dal.write { try User.create(in: $0).id }
        try await dal.close()
        dal = try await store.open()
        let user: User? = try await dal.read { try User.find(id, in: $0) }
        #expect(user != nil)
        #expect(try dal.keptUser(id) == user)
        try await dal.close()
    }

    @Test func `large rows are not kept`() async throws {
        try await withStore(.file) { dal in
            let ids = try await dal.write { context in
                try [4_000, 5_000].map { count in
                    try User.create(in: context) {
                        $0.firstname = String(repeating: "a", count: count)
                    }.id
                }
            }
            for id in ids { _ = try await dal.read { try User.find(id, in: $0) } }
            #expect(try dal.keptUser(ids[0]) != nil)
            #expect(try dal.keptUser(ids[1]) == nil)
        }
    }

    @Test func `a budget counts the rows that are kept`() async throws {
        try await withStore(.file) { dal in
            let id = try await dal.write { try User.create(in: $0).id }
            _ = try await dal.read { try User.find(id, in: $0) }
            let error = await #expect(throws: DataAccessError.self) {
                try await dal.read(budget: QueryBudget(statements: 0)) {
                    _ = try User.find(id, in: $0)
                }
            }
            #expect(error?.code == .budgetExceeded)
        }
    }

    @Test func `a budget within a read counts rows that were found in the cache before it`()
        async throws
    {
        try await withStore(.file) { dal in
            let id = try await dal.write { try User.create(in: $0).id }
            try await dal.read { context in
                let first = try User.find(id, in: context)
                #expect(try User.find(id, in: context) == first)
                for statements in [0, 1] {
                    let error = #expect(throws: DataAccessError.self) {
                        try context.withBudget(QueryBudget(statements: statements)) {
                            for _ in 0...statements { _ = try User.find(id, in: context) }
                        }
                    }
                    #expect(error?.code == .budgetExceeded)
                    #expect(try User.find(id, in: context) == first)
                }
            }
        }
    }

    @Test(arguments: [0, 1, 100 << 10, 16 << 20])
    func `cached rows take no more memory than the limit allows, which may be none`(
        _ size: Int
    ) async throws {
        try await withUsers(2_000, cached: size) { dal, ids in
            try await dal.read { context in
                for id in ids { _ = try User.find(id, in: context) }
            }
            let kept = try ids.filter { try dal.keptUser($0) != nil }.count
            #expect(CacheSlots<User>.size(ofRows: kept) <= size)
            #expect(size < 100 << 10 || kept > 100)
            #expect(size < 16 << 20 || kept == ids.count)
        }
    }

    @Test(arguments: [-1, 1 << 41])
    func `memory for rows that no store can have is refused`(_ size: Int) async throws {
        var configuration = Configuration()
        configuration.rowCacheSize = size
        let refused = configuration
        let error = await #expect(throws: DataAccessError.self) {
            try await TemporaryStore().open(refused)
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("\(size) bytes") == true)
    }

    @Test func `an entity that is looked up late has memory left`() async throws {
        // Much less than the users need.
        try await withUsers(2_000, cached: 256 << 10) { dal, ids in
            let company = try await dal.write { try Company.create(in: $0) { $0.name = "A" }.id }
            try await dal.read { context in
                for id in ids { _ = try User.find(id, in: context) }
                _ = try Company.find(company, in: context)
            }
            let caches = try #require(dal.coordinator.main.caches)
            #expect(caches.budget.commonBytes < 16 << 10)
            let position = try #require(
                dal.coordinator.store.schema.position(of: Company.self))
            let cache = caches.cache(at: position).map {
                unsafeDowncast($0, to: RowCache<Company>.self)
            }
            let version = caches.version.number.load(ordering: .acquiring)
            #expect(cache?.value(company.rawValue, in: version)?.name == "A")
        }
    }

    @Test func `rows that a commit removes give their memory back`() async throws {
        try await withUsers(500, cached: 16 << 20) { dal, ids in
            let caches = try #require(dal.coordinator.main.caches)
            let before = caches.budget.commonBytes
            for _ in 0..<3 {
                try await dal.read { context in
                    for id in ids { _ = try User.find(id, in: context) }
                }
                // Which rows it changes is not recorded.
                try await dal.write { context in
                    _ = try User.update(set: { [$0.score.add(1)] }, in: context)
                }
                #expect(try ids.allSatisfy { try dal.keptUser($0) == nil })
                #expect(caches.budget.commonBytes == before)
            }
        }
    }

    /// Runs a closure with a store of users, whose caches have a size in bytes.
    private func withUsers(
        _ count: Int, cached size: Int,
        _ body: (DataAccessLayer, [User.ID]) async throws -> Void
    ) async throws {
        let store = try TemporaryStore()
        var configuration = Configuration()
        configuration.rowCacheSize = size
        let dal = try await store.open(configuration)
        let ids = try await dal.write { context in
            try (0..<count).map { number in try User.create(in: context) { $0.age = number }.id }
        }
        try await body(dal, ids)
        try await dal.close()
    }

    @Test func `rows that are looked up once displace no other, those looked up again do`()
        async throws
    {
        // Enough for some of the first half.
        try await withUsers(4_000, cached: 256 << 10) { dal, ids in
            try await dal.read { context in
                for id in ids.prefix(2_000) { _ = try User.find(id, in: context) }
            }
            let kept = try ids.filter { try dal.keptUser($0) != nil }
            #expect((500..<2_000).contains(kept.count))
            try await dal.read { context in
                for id in ids.dropFirst(2_000) { _ = try User.find(id, in: context) }
            }
            let lost = try kept.filter { try dal.keptUser($0) == nil }
            // A byte of each key is remembered, so one in a hundred may be taken for another.
            #expect(lost.count < kept.count / 4)
            let last = try #require(try ids.last { try dal.keptUser($0) == nil })
            for _ in 0..<2 { try await dal.read { _ = try User.find(last, in: $0) } }
            #expect(try dal.keptUser(last) != nil)
        }
    }

    @Test func `most rows stay while there is memory, however they are spread`()
        async throws
    {
        let store = try TemporaryStore()
        let dal = try await store.open()
        let ids = try await dal.write { context in
            var random = SeededNumbers(seed: 4)
            return try (0..<2_000).map { number in
                let id = User.ID(rawValue: Int64.random(in: 1...1_000_000_000, using: &random))
                return try User.create(id: id, in: context) { $0.age = number }.id
            }
        }
        try await dal.read { context in
            for id in ids { _ = try User.find(id, in: context) }
        }
        let kept = try ids.filter { try dal.keptUser($0) != nil }.count
        #expect(kept > 1_800)
        try await dal.close()
    }

    @Test func `a context that has ended finds nothing in the cache either`() async throws {
        try await withStore(.file) { dal in
            let id = try await dal.write { try User.create(in: $0).id }
            _ = try await dal.read { try User.find(id, in: $0) }
            nonisolated(unsafe) var leaked: ReadContext?
            try await dal.read { leaked = $0 }
            let context = try #require(leaked)
            // The next read gets another context while this one is retained.
            try await dal.read { _ = try User.find(id, in: $0) }
            let error = #expect(throws: DataAccessError.self) { try User.find(id, in: context) }
            #expect(error?.code == .contextEnded)
        }
    }
}

/// What a write can do to a user.
enum Change: CaseIterable, Sendable {
    case byObject, conditionally, byDeletion, byDeletingAll, byRule, inNestedScope

    var namesItsRows: Bool { [.byObject, .byDeletion, .inNestedScope].contains(self) }

    func run(on id: User.ID, in context: WriteContext) throws {
        switch self {
        case .byObject: try User.find(id, in: context)?.age = 36
        case .conditionally:
            _ = try User.update(
                where: { $0.id == id }, set: { [$0.age.set(to: 36)] }, in: context)
        case .byDeletion: try User.find(id, in: context)?.delete()
        case .byDeletingAll: _ = try User.deleteAll(where: { $0.id == id }, in: context)
        case .byRule: try Company.all(in: context).first?.delete()
        case .inNestedScope: try context.nested { try User.find(id, in: $0)?.age = 36 }
        }
    }
}

extension DataAccessLayer {
    /// Makes three users of one company.
    func makeColleagues() async throws -> [User.ID] {
        try await write { context in
            let company = try Company.create(in: context) { $0.name = "Engines" }
            return try (0..<3).map { number in
                try User.create(in: context) {
                    $0.age = number
                    $0.company = company.id
                }.id
            }
        }
    }

    /// The user that the cache holds.
    func keptUser(_ id: User.ID) throws -> User? {
        guard let caches = coordinator.main.caches else { return nil }
        let position = try #require(coordinator.store.schema.position(of: User.self))
        let cache = caches.cache(at: position).map { unsafeDowncast($0, to: RowCache<User>.self) }
        return cache?.value(
            id.rawValue, in: caches.version.number.load(ordering: .acquiring))
    }
}
