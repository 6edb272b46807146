import Skiathos
import SkiathosTesting
import TestSupport
import Testing

/// Deletions of rows with all that goes with them.
struct DeletionTests {
    /// The ways in which rows are deleted.
    enum Way: CaseIterable {
        case object
        case objects
        case rootsAtOnce
        case allAtOnce
        case reset
        case restore
    }

    private static let count = 1500

    @Test(arguments: Seed.each(1, 2, 3), [Place.file, .memory])
    func `a deletion takes along what refers to its rows, however deep and in circles`(
        _ seed: UInt64, _ place: Place
    ) async throws {
        try await withSeed(seed) {
            try await Self.with(place) { dal, _ in
                let problems = try await dal.write { context in
                    let run = DeletionRun(context, seed: seed)
                    try run.run()
                    return run.problems
                }
                #expect(problems == [])
            }
        }
    }

    @Test(arguments: Way.allCases)
    func `a chain of thousands of rows is deleted in every way`(_ way: Way) async throws {
        try await Self.with(.file) { dal, directory in
            try await dal.backUp(to: directory.file("empty"))
            try await dal.write { try Self.chain($0, isCircle: false) }
            switch way {
            case .object:
                try await dal.write { try Knot.order { $0.id }.first(in: $0)?.delete() }
            case .objects:
                try await dal.write { context in
                    for knot in try Knot.all(in: context) { try knot.delete() }
                }
            case .rootsAtOnce:
                let count = try await dal.write {
                    try Knot.deleteAll(where: { $0.up == nil }, in: $0)
                }
                #expect(count == 1)
            case .allAtOnce: _ = try await dal.write { try Knot.deleteAll(in: $0) }
            case .reset: try await dal.reset()
            case .restore: try await dal.restore(from: directory.file("empty"))
            }
            #expect(try await dal.read { try Knot.count(in: $0) } == 0)
        }
    }

    @Test func `a circle of thousands of rows is deleted with any of them`() async throws {
        try await Self.with(.memory) { dal, _ in
            try await dal.write { context in
                try Self.chain(context, isCircle: true)
                try Knot.order { $0.id }.offset(Self.count / 2).first(in: context)?.delete()
                #expect(try Knot.count(in: context) == 0)
            }
        }
    }

    @Test func `objects that wait for their insertion go with the chain that they are in`()
        async throws
    {
        try await Self.with(.memory) { dal, _ in
            try await dal.write { context in
                let knots = try (0..<Self.count).map { _ in try Knot.create(in: context) }
                for (knot, above) in zip(knots, knots.dropFirst()) { knot.up = above.id }
                try knots.last?.delete()
                #expect(try Knot.count(in: context) == 0)
                #expect(knots.allSatisfy { $0.isDeleted })
            }
        }
    }

    private static func chain(_ context: WriteContext, isCircle: Bool) throws {
        var last: Knot.ID?
        var first: Managed<Knot>?
        for _ in 0..<count {
            let knot = try Knot.create(in: context) { $0.up = last }
            first = first ?? knot
            last = knot.id
        }
        if isCircle { first?.up = last }
    }

    private static func with(
        _ place: Place,
        _ body: @Sendable (DataAccessLayer, TemporaryDirectory) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let source = place == .memory ? StoreSource.inMemory : .sqlite(directory.file("net"))
        try await withStore(source, entities: Knot.self, Bead.self) {
            try await body($0, directory)
        }
    }
}
