import Skiathos
import SkiathosTesting
import TestSupport
import Testing

/// Random queries on random rows find what plain Swift finds.
struct RandomQueryTests {
    private static let queries = Rounds.of(250)
    private static let rows = 40

    @Test(arguments: Place.allCases, Seed.each(1, 2, 3))
    func `random queries find what plain Swift finds`(_ place: Place, _ seed: UInt64) async throws {
        try await withSeed(seed) { try await Self.check(place, seed) }
    }

    private static func check(_ place: Place, _ seed: UInt64) async throws {
        try await withStore(place) { dal in
            var queries = RandomQueries(seed: seed, rows: Self.rows)
            let rows = queries.model.rows
            _ = try await dal.write { try Specimen.insertAll(rows, in: $0) }
            for _ in 0..<Self.queries {
                let query = queries.next()
                let differences = try await dal.read { try query.differences(in: $0) }
                #expect(differences.isEmpty, "\(differences.first ?? "")")
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

    @Test func `random changes change the rows that they change in plain Swift`() async throws {
        try await withStore(.memory) { dal in
            var queries = RandomQueries(seed: 6, rows: 40)
            let rows = queries.model.rows
            _ = try await dal.write { try Specimen.insertAll(rows, in: $0) }
            for _ in 0..<Rounds.of(100) {
                let change = queries.nextChange()
                let found = try await dal.write { context in
                    let count = try change.query.update(
                        set: { [$0.number.set(to: change.number)] }, in: context)
                    return (
                        count, try Specimen.order { $0.id.ascending }.all(in: context).map(\.number)
                    )
                }
                #expect(found.0 == change.count, "\(change.text)")
                #expect(found.1 == queries.model.rows.map(\.number), "\(change.text)")
            }
            let last = queries.nextChange()
            let gone = try await dal.write { try last.query.deleteAll(in: $0) }
            #expect(gone == last.count)
        }
    }
}
