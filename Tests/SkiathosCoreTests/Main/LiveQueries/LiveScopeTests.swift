import QueryTestKit
import Skiathos
import SkiathosLocks
import SkiathosTesting
import Synchronization
import TestSupport
import Testing

@testable import SkiathosCore

/// Observed queries follow the rows that their inner closures are about.
@Suite(.generousTimeLimit) struct LiveScopeTests {
    @Test(arguments: Seed.each(1, 2, 3))
    func `observed queries of several closures follow changes of inner and of outer rows`(
        _ seed: UInt64
    ) async throws {
        try await withSeed(seed) {
            for round in 0..<UInt64(Rounds.of(4)) {
                try await Self.follow(seed &+ round &* 1_000)
            }
        }
    }

    @Test func `observers of equal queries of several closures share one read`() async throws {
        @Sendable func better() -> Query<Worker> {
            Worker.where { e in e.manager.matches { m in m.salary < e.salary } }.order { $0.name }
        }
        try await RentalShop.with { (dal) async throws in
            let main = dal.coordinator.main
            var observers = (0..<5).map { _ in dal.observe(better()).makeAsyncIterator() }
            for index in observers.indices {
                #expect(try await observers[index].next()?.map(\.name) == ["Ada", "Cyd", "Dan"])
            }
            #expect(main.observerCount == 1)
            // Of the manager alone.
            try await dal.write { context in
                try Worker.where { $0.name == "Bob" }.update(
                    set: { $0.salary.set(to: 70) }, in: context)
            }
            for index in observers.indices {
                #expect(try await observers[index].next()?.map(\.name) == ["Ada", "Dan"])
            }
        }
    }

    private static func follow(_ seed: UInt64) async throws {
        try await withStore(.inMemory, entities: ScopeWorld.entities) { dal in
            var queries = ScopedQueries(seed: seed)
            var values = RandomValues(seed: seed &+ 1)
            var world = queries.world
            let first = world
            try await dal.write { try first.insert(in: $0) }
            let observed = (0..<5).map { _ in ObservedScope(queries.nextLive(), dal) }
            for _ in 0..<12 {
                for query in observed { await query.expect(world) }
                let (before, drawn) = (world, values)
                (world, values) = try await dal.write { context in
                    var values = drawn
                    return (try before.changed(&values, in: context), values)
                }
            }
            for query in observed { await query.expect(world) }
        }
    }
}

/// An observed query, and the value that came last.
private final class ObservedScope: Sendable {
    private let query: LiveScope
    private let last: SharedValue
    private let task: Task<Void, Never>

    private final class SharedValue: Sendable {
        let rows = Lock<[[Datum]]?>(nil)
        let failure = Lock<(any Error)?>(nil)
    }

    init(_ query: LiveScope, _ dal: DataAccessLayer) {
        let last = SharedValue()
        self.query = query
        self.last = last
        task = Task {
            do {
                try await query.observe(dal) { rows in last.rows.withLock { $0 = rows } }
            } catch {
                last.failure.withLock { $0 = error }
            }
        }
    }

    deinit { task.cancel() }

    /// Requires the value to become that of plain Swift.
    func expect(_ world: ScopeWorld) async {
        let expected = query.expected(in: world)
        let last = last
        let hasCome = await happens {
            last.rows.withLock { $0 } == expected || last.failure.withLock { $0 } != nil
        }
        let found = last.rows.withLock { $0 }
        let failure = last.failure.withLock { $0 }
        #expect(
            hasCome && failure == nil,
            "\(query.text)\n  expected \(expected)\n  found    \(found ?? []), \(String(describing: failure))"
        )
    }
}
