import ReliabilityKit
import Skiathos
import SkiathosStore
import SkiathosTesting
import Synchronization
import Testing

/// How many rows a write reads again since something else than their objects may have changed them.
struct RefreshTests {
    private struct Undone: Error {}

    private static let count = 200

    @Test func `a change of rows by a condition has only the rows read again that it has met`()
        async throws
    {
        let rows = try await Self.rowsRead { users, context in
            for user in users {
                _ = try User.update(
                    where: { $0.id == user.id }, set: { $0.age.set(to: 7) }, in: context)
            }
            #expect(users.allSatisfy { $0.age == 7 })
        }
        #expect(rows == Self.count)
    }

    @Test func `a scope that fails has only the rows read again that were read inside of it`()
        async throws
    {
        let rows = try await Self.rowsRead { users, context in
            for user in users {
                #expect(throws: Undone.self) {
                    try context.nested { _ in
                        user.age = 7
                        _ = try User.where { $0.id == user.id }.all(in: context)
                        throw Undone()
                    }
                }
            }
            #expect(users.allSatisfy { $0.age == 0 })
        }
        #expect(rows == Self.count)
    }

    @Test func `a deletion has only the rows read again that its rules have changed`()
        async throws
    {
        let rows = try await Self.rowsRead { users, context in
            for company in try Company.all(in: context) {
                try company.delete()
                _ = try User.count(in: context)
            }
            #expect(users.allSatisfy { $0.company == nil })
        }
        #expect(rows == Self.count)
    }

    /// Runs a write that holds many users, each of a company of its own, and returns how many rows were
    /// read again.
    private static func rowsRead(
        _ body: @Sendable ([Managed<User>], WriteContext) throws -> Void
    ) async throws -> Int {
        let counter = RowCounter()
        let source = StoreSource.inMemory.mapped { base in
            ForwardingStore(base, session: { CountingSession($0, counter) })
        }
        return try await withStore(source, entities: Company.self, User.self) { dal in
            try await dal.write { context in
                for number in 0..<count {
                    let company = try Company.create(in: context) { $0.name = "\(number)" }
                    try User.create(in: context) {
                        $0.lastname = "\(number)"
                        $0.company = company.id
                    }
                }
            }
            try await dal.write { context in
                let users = try User.order { $0.id }.all(in: context)
                counter.reset()
                try body(users, context)
            }
            return counter.rows
        }
    }
}

/// Counts the rows that are looked for by lists of their IDs, as those of held objects are.
private final class RowCounter: Sendable {
    private let count = Atomic(0)

    var rows: Int { count.load(ordering: .sequentiallyConsistent) }

    func reset() { count.store(0, ordering: .sequentiallyConsistent) }

    func add(_ rows: Int) { count.wrappingAdd(rows, ordering: .sequentiallyConsistent) }
}

private final class CountingSession: ForwardingSession {
    private let counter: RowCounter

    init(_ base: any StoreWriteSession, _ counter: RowCounter) {
        self.counter = counter
        super.init(base)
    }

    override func fetch(
        entity: Int, ids: [StoreValue], _ body: (inout RowCursor) throws -> Void
    ) throws {
        counter.add(ids.count)
        try super.fetch(entity: entity, ids: ids, body)
    }
}
