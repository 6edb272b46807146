import Skiathos
import SkiathosTesting
import TestSupport
import Testing

/// Walks of a write through rows that the walk itself changes.
struct WalkTests {
    @Test(arguments: Seed.each(1, 2, 3, 4, 5, 6, 7, 8), [Place.file, .memory])
    func `a walk visits the rows of its beginning once, whatever its closure changes`(
        _ seed: UInt64, _ place: Place
    ) async throws {
        try await withSeed(seed) {
            try await Self.with(place) { dal in
                let (problems, visits) = try await dal.write { context in
                    let run = WalkRun(context, seed: seed)
                    try run.run()
                    return (run.problems, run.visits)
                }
                #expect(problems == [])
                #expect(visits > 200)
            }
        }
    }

    @Test func `a walk of more rows than stay in memory visits each in its order`() async throws {
        try await Self.with(.memory) { dal in
            let ages = try await dal.write { context in
                for number in 0..<3500 {
                    try Twig.create(in: context) { $0.age = (number * 11) % 3500 }
                }
                var ages: [Int] = []
                try Twig.order { $0.age }.each(batchSize: 300, in: context) { twig in
                    ages.append(twig.age)
                    twig.age += 10_000
                    try Twig.create(in: context) { $0.age = twig.age }
                }
                return ages
            }
            #expect(ages == Array(0..<3500))
            #expect(try await dal.read { try Twig.count(in: $0) } == 7000)
        }
    }

    @Test func `a walk leaves out rows that are deleted with others before their turn`()
        async throws
    {
        try await Self.with(.memory) { dal in
            let visited = try await dal.write { context in
                let roots = try (0..<10).map { age in
                    try Twig.create(in: context) { $0.age = age }.id
                }
                for root in roots { try Twig.create(in: context) { $0.parent = root } }
                var visited: [Twig.ID] = []
                try Twig.each(batchSize: 50, in: context) { twig in
                    visited.append(twig.id)
                    try twig.delete()
                }
                return visited == roots
            }
            #expect(visited)
            #expect(try await dal.read { try Twig.count(in: $0) } == 0)
        }
    }

    private static func with(
        _ place: Place, _ body: @Sendable (DataAccessLayer) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let source = place == .memory ? StoreSource.inMemory : .sqlite(directory.file("twigs"))
        try await withStore(source, entities: [Twig.self], body)
        withExtendedLifetime(directory) {}
    }
}
