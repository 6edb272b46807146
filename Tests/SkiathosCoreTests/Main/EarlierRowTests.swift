import Foundation
import ReliabilityKit
import Skiathos
import SkiathosLocks
import SkiathosStore
import Synchronization
import TestSupport
import Testing

@testable import SkiathosCore

/// Rows that no commit has changed are found in the snapshot that a connection has from before it.
@Suite struct EarlierRowTests {
    /// Runs a closure with a store with one reader, whose calls are counted.
    private func withCountedReads(
        _ body: (DataAccessLayer, CallCount) async throws -> Void
    ) async throws {
        let store = try TemporaryStore()
        let calls = CallCount()
        var configuration = Configuration()
        configuration.readerCount = 1
        let source = StoreSource.sqlite(store.path).mapped { base in
            ForwardingStore(base, reader: { CountingReader(base: $0, calls) })
        }
        let dal = try await DataAccessLayer.fixture(in: source, configuration: configuration)
        try await body(dal, calls)
        try await dal.close()
    }

    /// Makes users of the ages 0, 1, 2 and so on.
    private static func makeUsers(_ count: Int, in dal: DataAccessLayer) async throws -> [User.ID] {
        try await dal.write { context in
            try (0..<count).map { number in
                try User.create(in: context) {
                    $0.firstname = "\(number)"
                    $0.age = number
                }.id
            }
        }
    }

    @Test func `a row that no commit has changed needs no new snapshot, another one does`()
        async throws
    {
        try await withCountedReads { dal, calls in
            let ids = try await Self.makeUsers(20, in: dal)
            let ages: [Int] = try await dal.read { try User.all(in: $0).map(\.age) }
            #expect(ages.count == 20)
            let before = calls.statements
            for (number, id) in ids.prefix(10).enumerated() {
                try await dal.write { try Company.create(in: $0) { $0.name = "\(number)" } }
                let age: Int? = try await dal.read { try User.find(id, in: $0)?.age }
                #expect(age == number)
                #expect(try dal.keptUser(id)?.age == number)
            }
            #expect(calls.statements == before)
            try await dal.write { try User.find(ids[11], in: $0)?.age = 70 }
            let changed: Int? = try await dal.read { try User.find(ids[11], in: $0)?.age }
            #expect(changed == 70)
            #expect(calls.statements == before + 1)
        }
    }

    @Test(arguments: Change.allCases)
    func `a row that a commit has changed is not found as it was before`(
        _ change: Change
    ) async throws {
        try await withCountedReads { dal, _ in
            let ids = try await dal.makeColleagues()
            // The connection has a snapshot, and no row of a user was looked up.
            _ = try await dal.read { try User.count(in: $0) }
            try await dal.write { try change.run(on: ids[0], in: $0) }
            for id in ids {
                let found: User? = try await dal.read { try User.find(id, in: $0) }
                let queried: User? = try await dal.read { context in
                    try User.first(where: { $0.id == id }, in: context)
                }
                #expect(found == queried)
            }
        }
    }

    @Test func `a row that was inserted or made again after the snapshot is found as it is`()
        async throws
    {
        try await withCountedReads { dal, _ in
            let first = try await dal.write { try User.create(in: $0) { $0.age = 1 }.id }
            _ = try await dal.read { try User.count(in: $0) }
            let second = try await dal.write { try User.create(in: $0) { $0.age = 2 }.id }
            let inserted: Int? = try await dal.read { try User.find(second, in: $0)?.age }
            #expect(inserted == 2)
            try await dal.write { context in
                try User.find(first, in: context)?.delete()
                _ = try User.count(in: context)
                try User.create(id: first, in: context) { $0.age = 3 }
            }
            let again: Int? = try await dal.read { try User.find(first, in: $0)?.age }
            #expect(again == 3)
        }
    }

    @Test func `a row that was inserted and cached after a read began is not found by it`()
        async throws
    {
        try await withStore(.file) { dal in
            _ = try await Self.makeUsers(2, in: dal)
            let door = Door()
            let began = Event()
            let ids = Lock<[User.ID]>([])
            async let held: [User?] = onThread {
                try dal.read { context in
                    _ = try User.count(in: context)
                    began.happen()
                    door.pass()
                    return try ids.withLock { $0 }.map { try User.find($0, in: context) }
                }
            }
            await began.wait()
            let later = try await dal.write { try User.create(in: $0) { $0.age = 9 }.id }
            for _ in 1...2 {
                let found: Int? = try await dal.read { try User.find(later, in: $0)?.age }
                #expect(found == 9)
            }
            #expect(try dal.keptUser(later) != nil)
            ids.withLock { $0 = [later] }
            door.open()
            #expect(try await held == [nil])
        }
    }

    @Test func `rows that were found before a commit and after it belong to one version`()
        async throws
    {
        try await withCountedReads { dal, _ in
            let ids = try await Self.makeUsers(4, in: dal)
            try await dal.write { context in
                for id in ids { try User.find(id, in: context)?.age = 1 }
            }
            _ = try await dal.read { try User.find(ids[0], in: $0) }
            for next in 2...5 {
                let door = Door()
                let began = Event()
                async let held: [Int?] = onThread {
                    try dal.read { context in
                        // From the cache or an earlier snapshot, before and after the commit.
                        let first = try User.find(ids[0], in: context)?.age
                        began.happen()
                        door.pass()
                        return try [first]
                            + ids.reversed().map { try User.find($0, in: context)?.age }
                    }
                }
                await began.wait()
                try await dal.write { context in
                    for id in ids { try User.find(id, in: context)?.age = next }
                }
                door.open()
                #expect(try await held == Array(repeating: next - 1, count: 5))
            }
        }
    }

    @Test(arguments: [false, true])
    func `during a commit no row is cached that only one of the two versions has`(
        _ isInsertion: Bool
    ) async throws {
        let store = try TemporaryStore()
        let hook = CommitHook()
        let dal = try await DataAccessLayer.fixture(in: hook.source(store.path))
        let known = try await Self.makeUsers(2, in: dal)[1]
        // A row of the cache, so that there is one.
        _ = try await dal.read { try User.find(known, in: $0) }
        let id = isInsertion ? User.ID(rawValue: 77) : known
        let began = Event()
        let isCommitted = Door()
        let isFound = Door()
        async let before: [Int?] = onThread {
            try dal.read { context in
                let queried = try User.first(where: { $0.id == id }, in: context)?.age
                began.happen()
                isCommitted.pass()
                defer { isFound.open() }
                return [queried, try User.find(id, in: context)?.age]
            }
        }
        await began.wait()
        let after = Lock<Int?>(nil)
        // The commit can be read, and the main context has not advanced.
        hook.next(after: {
            let age = try? onOtherThread { try dal.read { try User.find(id, in: $0)?.age } }
            after.withLock { $0 = age ?? nil }
            isCommitted.open()
            isFound.pass()
        })
        try await onThread {
            try dal.write { (context: WriteContext) -> Void in
                if isInsertion {
                    try User.create(id: id, in: context) { $0.age = 20 }
                } else {
                    try User.find(id, in: context)?.age = 20
                }
            }
        }
        #expect(after.withLock { $0 } == 20)
        #expect(try await before == (isInsertion ? [nil, nil] : [1, 1]))
        try await dal.close()
    }

    @Test(arguments: [false, true])
    func
        `after a commit that has failed rows are found as before, and those it did not concern are cached`(
            _ isAttempted: Bool
        ) async throws
    {
        let (store, hook) = (try TemporaryStore(), CommitHook())
        let dal = try await DataAccessLayer.fixture(in: hook.source(store.path))
        let ids = try await Self.makeUsers(3, in: dal)
        @Sendable func ages() async throws -> [Int?] {
            try await dal.read { context in try ids.map { try User.find($0, in: context)?.age } }
        }
        for round in 1...3 {
            let before = try await ages()
            hook.next(before: { session in
                if isAttempted { try Self.commitInVain(session, dal) }
                throw StoreError(.diskFull, "The test has filled the disk.")
            })
            await #expect(throws: StoreError.self) {
                try await dal.write { try User.find(ids[0], in: $0)?.age = -round }
            }
            #expect(try dal.keptUser(ids[0]) == nil)
            #expect(try dal.keptUser(ids[1])?.age == before[1])
            #expect(try await ages() == before)
            // Its change counts as made if SQLite has tried to commit it.
            if isAttempted { #expect(try dal.keptUser(ids[0])?.age == before[0]) }
            try await dal.write { try User.find(ids[1], in: $0)?.age = 10 * round }
            for _ in 1...2 { #expect(try await ages() == [0, 10 * round, 2]) }
            #expect(try dal.keptUser(ids[1])?.age == 10 * round)
        }
        try await dal.close()
    }

    @Test func `a commit that finds touched files leaves no cached row that reads find`()
        async throws
    {
        let (store, hook) = (try TemporaryStore(), CommitHook())
        var configuration = Configuration()
        configuration.errorHandler = { _ in }
        let dal = try await DataAccessLayer.fixture(
            in: hook.source(store.path), configuration: configuration)
        let ids = try await Self.makeUsers(2, in: dal)
        _ = try await dal.read { context in try ids.map { try User.find($0, in: context) } }
        let caches = try #require(dal.coordinator.main.caches)
        #expect(caches.version.current.number != CachedVersion.none)
        hook.next(before: { _ in
            var error = StoreError(.interference, "The test has touched the files.")
            error.endsDurability = true
            throw error
        })
        await #expect(throws: StoreError.self) {
            try await dal.write { try User.find(ids[0], in: $0)?.age = 7 }
        }
        #expect(caches.version.current.number == CachedVersion.none)
        try? await dal.close()
    }

    @Test
    func
        `rows read between an interrupted attempt to commit and the next one are found as they are`()
        async throws
    {
        let (store, hook) = (try TemporaryStore(), CommitHook())
        var configuration = Configuration()
        configuration.readerCount = 1
        let dal = try await DataAccessLayer.fixture(
            in: hook.source(store.path), configuration: configuration)
        let ids = try await Self.makeUsers(3, in: dal)
        @Sendable func ages() throws -> [Int?] {
            try dal.read { context in try ids.map { try User.find($0, in: context)?.age } }
        }
        for round in 1...3 {
            let before = try await onThread { try ages() }
            hook.next(before: { session in
                try Self.commitInVain(session, dal)
                // With rows that were cached, and from the snapshot that the first of them has taken.
                for _ in 1...2 { #expect(try onOtherThread { try ages() } == before) }
                throw StoreError(.interrupted, "The test has interrupted the commit.")
            })
            try await dal.write { try User.find(ids[0], in: $0)?.age = 10 * round }
            for _ in 1...2 { #expect(try await onThread { try ages() } == [10 * round, 1, 2]) }
            #expect(try dal.keptUser(ids[0])?.age == 10 * round)
        }
        try await dal.close()
    }

    /// Lets SQLite refuse a commit, and leaves the transaction as it was.
    private static func commitInVain(
        _ session: any StoreWriteSession, _ dal: DataAccessLayer
    ) throws {
        let users = FetchRequest(
            entity: try #require(dal.coordinator.store.schema.position(of: User.self)))
        let company = try #require(User.schema.columns.firstIndex { $0.name == "company" })
        try session.openSavepoint()
        // No company has this ID.
        let changed = try session.update(
            users, [StoreAssignment(column: company, .set(.value(.integer(9999))))])
        #expect(changed > 0)
        #expect(throws: StoreError.self) { try session.commit() }
        #expect(session.isInTransaction)
        try session.rollbackSavepoint()
    }

    @Test(arguments: [false, true])
    func `a commit of another version than was announced leaves no row and no earlier one`(
        _ isKnown: Bool
    ) async throws {
        try await withStore(.file) { dal in
            let id = try await Self.makeUsers(1, in: dal)[0]
            _ = try await dal.read { try User.find(id, in: $0) }
            let caches = try #require(dal.coordinator.main.caches)
            let position = try #require(dal.coordinator.store.schema.position(of: User.self))
            let cache = try #require(caches.cache(at: position))
            let users = unsafeDowncast(cache, to: RowCache<User>.self)
            let before = caches.version.number.load(ordering: .acquiring)
            #expect(users.value(id.rawValue, in: before) != nil)
            caches.willCommit(from: before)
            // One that followed an interrupted attempt, or a version that was not known for a while.
            if !isKnown { caches.commitEnded(at: nil) }
            caches.commitEnded(at: before + 4)
            for version in [before, before + 2, before + 4] {
                #expect(users.value(id.rawValue, in: version) == nil)
            }
            #expect(!users.isUnchanged(id.rawValue, since: before + 2, in: before + 4))
            #expect(users.isUnchanged(id.rawValue, since: before + 4, in: before + 4))
            // The store has still the version from before.
            caches.commitEnded(at: nil)
        }
    }
}

/// How often reads have run statements on a snapshot of their version.
final class CallCount: Sendable {
    private let count = Atomic(0)

    var statements: Int { count.load(ordering: .relaxed) }
    func add() { count.add(1, ordering: .relaxed) }
}

private final class CountingReader: StoreReader {
    private let base: any StoreReader
    private let calls: CallCount

    init(base: any StoreReader, _ calls: CallCount) {
        self.base = base
        self.calls = calls
    }

    func read(_ body: (any StoreSession) throws -> Void) throws {
        calls.add()
        try base.read(body)
    }

    func reserve() -> ReadReservation? { base.reserve() }

    func readReserved(_ body: (any StoreSession) throws -> Void) throws {
        calls.add()
        try base.readReserved(body)
    }

    func readEarlier(
        _ body: (_ session: any StoreSession, _ version: UInt64) throws -> Void
    ) throws { try base.readEarlier(body) }

    func endReservation(discarding: Bool) { base.endReservation(discarding: discarding) }
    func interrupt() { base.interrupt() }
}

/// What a test does before the next commit, or at its end before anyone learns of it.
private final class CommitHook: Sendable {
    private struct Bodies {
        var before: (@Sendable (any StoreWriteSession) throws -> Void)?
        var after: (@Sendable () -> Void)?
    }

    private let bodies = Lock(Bodies())

    func next(before body: @escaping @Sendable (any StoreWriteSession) throws -> Void) {
        bodies.withLock { $0.before = body }
    }

    func next(after body: @escaping @Sendable () -> Void) { bodies.withLock { $0.after = body } }

    func source(_ path: String) -> StoreSource {
        .sqlite(path).mapped { [self] base in
            ForwardingStore(base, session: { HookedSession($0, self) })
        }
    }

    func commit(_ session: any StoreWriteSession) throws {
        try bodies.withLock { $0.before.take() }?(session)
        try session.commit()
        bodies.withLock { $0.after.take() }?()
    }
}

private final class HookedSession: ForwardingSession {
    private let hook: CommitHook

    init(_ base: any StoreWriteSession, _ hook: CommitHook) {
        self.hook = hook
        super.init(base)
    }

    override func commit() throws { try hook.commit(base) }
}
