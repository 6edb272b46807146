import Dispatch
import Foundation
import Skiathos
import SkiathosLocks
import SkiathosStore
import Synchronization
import TestSupport
import Testing

@testable import SkiathosCore

/// Each value of an observed list, or of an observed row, is that of a later commit than the one
/// before, whatever happens while it is read.
@Suite(.generousTimeLimit) struct ListHistoryTests {
    /// How often each history writes and looks.
    private static let rounds = Rounds.of(20, least: 5)

    @Test(arguments: Seed.each(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    func `lists follow a history whose writes race with reads, and whose reads fail`(
        _ seed: UInt64
    ) async throws {
        try await withSeed(seed) {
            let history = ListHistory(seed: seed)
            var configuration = seed % 2 == 0 ? Configuration() : .patient
            configuration.errorHandler = { _ in history.readFailed() }
            try await withNotes(configuration: configuration) { dal in
                history.begin(dal)
                for _ in 0..<4 { history.write() }
                var generator = SeededNumbers(seed: seed &+ 1)
                var lists = ListHistory.queries.indices.map { ObservedList(history, $0) }
                for list in lists { try await list.follow() }
                for _ in 0..<Self.rounds {
                    for _ in 0..<Int.random(in: 1...3, using: &generator) { history.write() }
                    for list in lists where Int.random(in: 0..<3, using: &generator) > 0 {
                        try await list.follow()
                    }
                    if Int.random(in: 0..<6, using: &generator) == 0 {
                        let index = Int.random(in: lists.indices, using: &generator)
                        lists[index] = ObservedList(history, index)
                        try await lists[index].follow()
                    }
                }
                for list in lists { try await list.follow() }
                history.end()
            }
        }
    }
}

/// The results of some queries after each write of a random history.
private final class ListHistory: Sendable {
    /// A query, and what makes a user one that it selects.
    struct Observed: Sendable {
        let query: Query<User>
        /// Set if the query selects the row with this ID, which is observed by it.
        var id: User.ID?
        let enter: @Sendable (inout User) -> Void

        static func row(_ id: Int64) -> Observed {
            let id = User.ID(rawValue: id)
            return Observed(query: User.where { $0.id == id }, id: id, enter: { _ in })
        }
    }

    private struct State {
        var dal: DataAccessLayer?
        var generator: SeededNumbers
        var writes: RandomUserWrites
        /// By query, its result after each write.
        var results: [[[User]]]
    }

    private struct ReadRefused: Error {}

    static let queries: [Observed] = [
        Observed(query: User.query, enter: { _ in }),
        Observed(query: User.where { $0.firstname == "a" }, enter: { $0.firstname = "a" }),
        Observed(query: User.where { $0.age >= 3 }, enter: { $0.age = 5 }),
        Observed(query: User.where { $0.role != .guest }, enter: { $0.role = .owner }),
        Observed(query: User.order { $0.age }, enter: { _ in }),
        Observed(
            query: User.where { $0.age >= 2 }.order { $0.age.descending }, enter: { $0.age = 4 }),
        Observed(query: User.order { $0.email }, enter: { _ in }),
        Observed(
            query: User.where { $0.email == nil || $0.age < 3 }
                .order { [$0.email.descending, $0.score.ascending] },
            enter: { $0.age = 1 }),
        Observed(
            query: User.where { $0.firstname != "b" }
                .order { [$0.firstname.descending, $0.role.ascending] },
            enter: { $0.firstname = "é" }),
        Observed(query: User.order { $0.id.descending }, enter: { _ in }),
        Observed(query: User.order { $0.score }.limit(3), enter: { $0.score = -1 }),
        Observed(query: User.where { $0.age >= 1 }.offset(2), enter: { $0.age = 2 }),
        .row(1), .row(2), .row(3), .row(5),
    ]

    /// Held while the next write is chosen, and never during one.
    private let state: Lock<State>

    init(seed: UInt64) {
        state = Lock(
            State(
                generator: SeededNumbers(seed: seed &+ 2), writes: RandomUserWrites(seed: seed),
                results: Self.queries.map { _ in [[]] }))
    }

    func begin(_ dal: DataAccessLayer) { state.withLock { $0.dal = dal } }

    func end() { state.withLock { $0.dal = nil } }

    /// The results of a query so far.
    func results(of query: Int) -> [[User]] { state.withLock { $0.results[query] } }

    /// Commits a random write, and returns when observers were notified of it.
    func write() {
        let (dal, write) = state.withLock { ($0.dal, $0.writes.next()) }
        commit(to: dal, write)
    }

    /// A read has failed, and the next change leads to another one.
    func readFailed() {
        let dal = state.withLock { $0.dal }
        commit(to: dal) { context in
            for (number, observed) in Self.queries.enumerated() {
                guard let id = observed.id else {
                    try User.add(in: context) { user in
                        user.score = -Double(number)
                        observed.enter(&user)
                    }
                    continue
                }
                if let user = try User.find(id, in: context) {
                    user.score -= 1
                } else {
                    // With a name that no other has.
                    try User.create(id: id, in: context) { $0.lastname = UUID().uuidString }
                }
            }
        }
    }

    /// Reads a query, and mostly does no more; else writes are committed before or after it, or it
    /// fails.
    func read(_ query: Int, isFirst: Bool, in context: ReadContext) throws -> [User] {
        let (before, after, fails) = state.withLock { state in
            let fails = !isFirst && Int.random(in: 0..<8, using: &state.generator) == 0
            return (
                Int.random(in: 0..<4, using: &state.generator) == 0,
                Int.random(in: 0..<3, using: &state.generator) == 0, fails
            )
        }
        if before { write() }
        let result = try Self.queries[query].query.all(in: context)
        if after { write() }
        if fails { throw ReadRefused() }
        return result
    }

    /// On a thread of its own, since the caller may hold a connection.
    private func commit(
        to dal: DataAccessLayer?, _ body: @escaping @Sendable (WriteContext) throws -> Void
    ) {
        guard let dal else { return }
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
            do {
                let results = try dal.write { context in
                    try body(context)
                    return try Self.queries.map { observed in
                        try observed.query.all(in: context).map(\.value)
                    }
                }
                state.withLock { state in
                    for (number, result) in results.enumerated() {
                        state.results[number].append(result)
                    }
                }
            } catch is RandomUserWrites.Refused {
                // Nothing of it was committed.
            } catch let error as StoreError where error.code == .uniqueViolation {
                // Two users with one e-mail address.
            } catch {
                Issue.record(error)
            }
            while !dal.coordinator.main.observers.isCaughtUp { sched_yield() }
            isDone.signal()
        }
        isDone.wait()
    }
}

/// An observed list of a history.
private final class ObservedList {
    private let history: ListHistory
    private let query: Int
    private let next: () async throws -> [User]?
    private var last: [User]?
    /// The first write after which the last value may have been the result.
    private var place = 0

    init(_ history: ListHistory, _ query: Int) {
        self.history = history
        self.query = query
        next = history.values(of: query)
    }

    /// Requires the values up to the present one to be results of later and later commits.
    func follow() async throws {
        // The first value contains what was committed before.
        if last == nil { place = history.results(of: query).count - 1 }
        while last == nil || last != history.results(of: query).last {
            let value = try #require(try await next())
            #expect(value != last, "a value came twice of \(name)")
            let results = history.results(of: query)
            let next = results.indices.first { $0 >= place && results[$0] == value }
            place = try #require(next, "\(name) was never \(value) since write \(place)")
            last = value
        }
    }

    private var name: String { "\(ListHistory.queries[query].query)" }
}

extension ListHistory {
    /// Observes a query; its first read neither fails nor counts as a failure.
    func values(of query: Int) -> () async throws -> [User]? {
        guard let dal = state.withLock({ $0.dal }) else {
            preconditionFailure("A query was observed before its history has begun.")
        }
        let observed = Self.queries[query]
        let place = SourcePlace(file: #fileID, line: #line)
        let hasRead = Lock(false)
        let read = { @Sendable (context: ReadContext) in
            let isFirst = hasRead.withLock { hasRead in
                defer { hasRead = true }
                return !hasRead
            }
            return try self.read(query, isFirst: isFirst, in: context)
        }
        guard let id = observed.id else {
            return Self.calls(
                to: dal.values(of: observed.query, key: nil, at: place, pace: nil, read))
        }
        let next = Self.calls(
            to: dal.row(with: id, key: nil, at: place, pace: nil) { try read($0).first })
        return { try await next().map { $0.map { [$0] } ?? [] } }
    }

    private static func calls<Value>(
        to values: ObservedValues<Value>
    ) -> () async throws -> Value? {
        var iterator = values.makeAsyncIterator()
        return { try await iterator.next() }
    }
}
