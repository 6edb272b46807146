import Skiathos
import TestSupport
import Testing

/// Under any concurrent work, a look-up by ID and a query of the same read return the same.
@Suite(.generousTimeLimit) struct CacheConsistencyTests {
    private static let count = 24

    @Test(arguments: Seed.each(1, 2, 3))
    func `a look-up never differs from a query of the same read`(_ seed: UInt64) async throws {
        try await withSeed(seed) { try await Self.check(seed) }
    }

    private static func check(_ seed: UInt64) async throws {
        try await withStore(.file) { dal in
            let ids = try await dal.write { context in
                try (0..<Self.count).map { number in
                    let company = try Company.create(in: context) { $0.name = "\(number)" }
                    return try User.create(in: context) {
                        $0.firstname = "user \(number)"
                        $0.company = company.id
                    }.id
                }
            }
            let reads = try await withThrowingTaskGroup(of: Int.self) { group in
                for task in 0..<4 {
                    group.addTask {
                        try await Self.write(to: dal, ids, seed &* 100 &+ UInt64(task))
                        return 0
                    }
                    group.addTask {
                        try await Self.read(from: dal, ids, seed &* 1000 &+ UInt64(task))
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(reads == 4 * 400 * 6)
        }
    }

    private static func read(
        from dal: DataAccessLayer, _ ids: [User.ID], _ seed: UInt64
    ) async throws -> Int {
        var random = SeededNumbers(seed: seed)
        var compared = 0
        for _ in 0..<400 {
            let chosen = (0..<6).map { _ in ids[Int.random(in: ids.indices, using: &random)] }
            let pairs: [(User?, User?)] = try await dal.read { context in
                try chosen.map { id in
                    // In turns, so that either comes first.
                    if id.rawValue % 2 == 0 {
                        return (
                            try User.find(id, in: context),
                            try User.first(where: { $0.id == id }, in: context)
                        )
                    }
                    let queried = try User.first(where: { $0.id == id }, in: context)
                    return (try User.find(id, in: context), queried)
                }
            }
            for (found, queried) in pairs {
                #expect(found == queried)
                compared += 1
            }
        }
        return compared
    }

    private static func write(
        to dal: DataAccessLayer, _ ids: [User.ID], _ seed: UInt64
    ) async throws {
        struct Refusal: Error {}
        var random = SeededNumbers(seed: seed)
        for round in 0..<150 {
            let id = ids[Int.random(in: ids.indices, using: &random)]
            let kind = Int.random(in: 0..<8, using: &random)
            let level: Acknowledgement = round % 3 == 0 ? .merged : .committed
            do {
                try await dal.write(acknowledging: level) { (context: WriteContext) -> Void in
                    switch kind {
                    case 0, 1, 2: try User.find(id, in: context)?.age = round
                    case 3:
                        _ = try User.update(
                            where: { $0.id == id }, set: { [$0.score.set(to: Double(round))] },
                            in: context)
                    case 4:
                        try User.find(id, in: context)?.delete()
                        _ = try User.count(in: context)
                        try User.create(id: id, in: context) {
                            $0.firstname = "made again \(id), \(round), \(seed)"
                            $0.age = -round
                        }
                    case 5:
                        let company = try User.find(id, in: context)?.company
                        if let company { try Company.find(company, in: context)?.delete() }
                    case 6:
                        try? context.nested { inner in
                            try User.find(id, in: inner)?.lastname = "\(round)"
                            throw Refusal()
                        }
                        try User.find(id, in: context)?.firstname = "\(id), \(round)"
                    default:
                        try User.find(id, in: context)?.age = 1_000
                        _ = try User.count(in: context)
                        throw Refusal()
                    }
                }
            } catch is Refusal {
                // It was to fail.
            }
        }
    }
}
