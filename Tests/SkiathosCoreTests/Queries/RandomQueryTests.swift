import Foundation
import Skiathos
import SkiathosTesting
import Testing

/// Random queries on random rows find what plain Swift finds.
///
/// `RANDOM_QUERIES` sets how many there are for each seed, `RANDOM_ROWS` the number of rows, and
/// `RANDOM_SEED` repeats the seed that a failure has named.
struct RandomQueryTests {
    private static let seeds: [UInt64] = number("RANDOM_SEED").map { [UInt64($0)] } ?? [1, 2, 3]
    private static let queries = number("RANDOM_QUERIES") ?? 250
    private static let rows = number("RANDOM_ROWS") ?? 40

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init)
    }

    @Test(arguments: Place.allCases, seeds)
    func `random queries find what plain Swift finds`(_ place: Place, _ seed: UInt64) async throws {
        try await withStore(place) { dal in
            var queries = RandomQueries(seed: seed, rows: Self.rows)
            let rows = queries.model.rows
            _ = try await dal.write { try Specimen.insertAll(rows, in: $0) }
            for _ in 0..<Self.queries {
                let query = queries.next()
                let differences = try await dal.read { try query.differences(in: $0) }
                #expect(differences.isEmpty, "seed \(seed): \(differences.first ?? "")")
            }
        }
    }

    @Test func `a write finds the same among changes that are still pending`() async throws {
        try await withStore(.memory) { dal in
            var queries = RandomQueries(seed: 4, rows: 30)
            let rows = queries.model.rows
            let some = (0..<40).map { _ in queries.next() }
            let differences = try await dal.write { context in
                try Specimen.insertAll(rows, in: context)
                return try some.flatMap { query in
                    try query.forms.compactMap { query.difference(try $0.all(in: context)) }
                }
            }
            #expect(differences == [])
        }
    }
}
