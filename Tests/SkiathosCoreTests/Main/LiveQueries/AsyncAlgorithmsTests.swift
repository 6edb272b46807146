import AsyncAlgorithms
import Skiathos
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosCore

/// Every observed sequence in the operators of swift-async-algorithms, which want both a sequence and
/// its elements to be `Sendable`.
@Suite(.generousTimeLimit) struct AsyncAlgorithmsTests {
    @Test func `observed values go through every operator`() async throws {
        try await withNotes { dal in
            let id = try await dal.write { try User.add(in: $0).id }
            try await Self.use(dal, id) { dal.observe(User.order { $0.id }) }
            try await Self.use(dal, id) { dal.observe { try User.count(in: $0) } }
        }
    }

    @Test func `the values of a row until its deletion go through every operator`() async throws {
        try await withNotes { dal in
            let id = try await dal.write { try User.add(in: $0).id }
            try await Self.use(dal, id) { dal.observe(id).untilDeleted() }
        }
    }

    @Test func `differences go through every operator`() async throws {
        try await withNotes { dal in
            let id = try await dal.write { try User.add(in: $0).id }
            try await Self.use(dal, id) { dal.observe(User.order { $0.id }).differences }
        }
    }

    @Test func `the changesets of a feed go through every operator`() async throws {
        try await withNotes { dal in
            let id = try await dal.write { try User.add(in: $0).id }
            try await Self.use(dal, id) { dal.changes(of: User.self) }
        }
    }

    @Test func `the last value of a burst comes through debounce`() async throws {
        try await withNotes { dal in
            let counts = dal.observe { try User.count(in: $0) }.debounce(for: .milliseconds(1))
            for _ in 0..<20 { try await dal.write { try User.add(in: $0) } }
            for try await count in counts where count == 20 { break }
        }
    }

    @Test func `combined values reach the newest of both`() async throws {
        try await withNotes { dal in
            let pairs = combineLatest(
                dal.observe { try User.count(in: $0) }, dal.observe { try Company.count(in: $0) })
            let writing = Task {
                for number in 0..<10 {
                    try await dal.write { context in
                        try User.add(in: context)
                        try Company.create(in: context) { $0.name = "\(number)" }
                    }
                }
            }
            for try await (users, companies) in pairs where users == 10 && companies == 10 { break }
            try await writing.value
        }
    }

    @Test func `a shared feed gives each of its loops every changeset`() async throws {
        try await withNotes { dal in
            let feed = dal.changes(of: User.self).share(bufferingPolicy: .unbounded)
            let loops = (0..<3).map { _ in
                Task {
                    var ids: [User.ID] = []
                    for try await case .changes(let changes) in feed { ids += changes.inserted }
                    return ids
                }
            }
            // A loop gets what comes after it has begun.
            var written: [User.ID] = []
            for _ in 0..<20 { written.append(try await dal.write { try User.add(in: $0).id }) }
            try await dal.close()
            for loop in loops {
                let ids = try await loop.value
                #expect(ids == Array(written.suffix(ids.count)))
            }
        }
    }

    /// Takes elements of a sequence through each operator, while a row changes and others are added.
    private static func use<Elements: AsyncSequence & Sendable>(
        _ dal: DataAccessLayer, _ id: User.ID, _ make: @escaping @Sendable () -> Elements
    ) async throws where Elements.Element: Sendable, Elements.AsyncIterator: SendableMetatype {
        // Feeds have no first element of their own, and loops that join a shared sequence late get none
        // of those before.
        let writing = Task {
            do {
                while true {
                    try await dal.write { context in
                        try User.find(id, in: context)?.age += 1
                        try User.add(in: context)
                    }
                    await Task.yield()
                }
            } catch is CancellationError {
                // So ends a write that is cancelled before it begins.
            }
        }
        try await take(1, of: make().removeDuplicates { _, _ in false })
        try await take(1, of: make().debounce(for: .zero))
        try await take(1, of: make()._throttle(for: .zero))
        try await take(2, of: merge(make(), make()))
        try await take(1, of: combineLatest(make(), make()))
        try await take(1, of: zip(make(), make()))
        try await take(1, of: make().buffer(policy: .bounded(2)))
        let shared = make().share()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 { group.addTask { try await take(1, of: shared) } }
            try await group.waitForAll()
        }
        writing.cancel()
        try await writing.value
    }

    private static func take<Elements: AsyncSequence>(
        _ count: Int, of elements: Elements
    ) async throws {
        var taken = 0
        for try await _ in elements {
            taken += 1
            if taken == count { return }
        }
        Issue.record("\(Elements.self) has ended after \(taken) elements.")
    }
}
