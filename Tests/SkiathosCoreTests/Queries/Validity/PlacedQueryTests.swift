import Skiathos
import TestSupport
import Testing

/// Queries with columns and aggregates in random places give what plain Swift gives, or are refused
/// with the code `invalidRequest` where they ask for what has no answer; and nothing else ever.
struct PlacedQueryTests {
    private static let queries = Rounds.of(300)

    @Test(arguments: Seed.each(1, 2, 3))
    func `columns and aggregates in random places are answered rightly, or refused`(
        _ seed: UInt64
    ) async throws {
        try await withSeed(seed) { try await Self.check(seed) }
    }

    private static func check(_ seed: UInt64) async throws {
        try await withStore(.memory) { dal in
            var queries = PlacedQueries(seed: seed, rows: 12)
            let rows = queries.model.rows
            let all = (0..<Self.queries).map { _ in queries.next() }
            let differences = try await dal.write { context in
                try Specimen.insertAll(rows, in: context)
                return try all.compactMap { query -> String? in
                    let difference = Self.difference(query, in: context)
                    // What a query has changed is as before for the next one.
                    for object in try Specimen.all(in: context) {
                        object.number = rows[Int(object.id.rawValue) - 1].number
                    }
                    return difference.map { "\(query.text)\n  \($0)" }
                }
            }
            #expect(differences.isEmpty, "\(differences.count) \(differences.first ?? "")")
            // Both outcomes are common.
            #expect(all.count { $0.expected == nil } > all.count / 5)
            #expect(all.count { $0.expected != nil } > all.count / 3)
        }
    }

    private static func difference(_ query: PlacedQuery, in context: WriteContext) -> String? {
        do {
            let found = try query.run(context)
            guard let expected = query.expected else { return "was not refused: \(found)" }
            return found == expected ? nil : "found \(found)\n  in place of \(expected)"
        } catch let error as StoreError where error.code == .invalidRequest {
            return query.expected == nil ? nil : "was refused: \(error)"
        } catch let error as DataAccessError where error.code == .invalidRequest {
            return query.expected == nil ? nil : "was refused: \(error)"
        } catch {
            return "failed otherwise: \(error)"
        }
    }
}
