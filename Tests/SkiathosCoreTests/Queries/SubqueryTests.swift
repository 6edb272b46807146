#if Macros
import Foundation
import Skiathos
import Testing

/// Aggregates of one query as values in another one.
struct SubqueryTests {
    @Test(arguments: [Place.file, .memory])
    func `a row is compared with what is computed from all rows, of its entity or another`(
        _ place: Place
    ) async throws {
        try await Library.with(place) { dal in
            try await dal.read { context in
                let tracks = try Track.all(in: context)
                let mean = tracks.reduce(0) { $0 + $1.price } / Decimal(tracks.count)
                let dear = try Track.all(
                    where: { $0.price > Track.query.value { $0.price.average } }, in: context)
                #expect(Set(dear.map(\.id)) == Set(tracks.filter { $0.price > mean }.map(\.id)))
                let albums = try Album.all(in: context)
                let longest = try Track.max(of: { $0.seconds }, in: context) ?? 0
                let count = try Album.count(
                    where: { $0.minutes * 60 > Track.query.value { $0.seconds.max } },
                    in: context)
                #expect(count == albums.count { $0.minutes * 60 > longest })
            }
        }
    }

    @Test func `a subquery has its own condition and is selected like a column`() async throws {
        try await Library.with(.memory) { dal in
            try await dal.read { context in
                let long = Track.where { $0.seconds > 200 }
                let rows = try Artist.select {
                    ($0.name, long.value(for: Artist.self) { $0.id.count })
                }
                .all(in: context)
                let count = try long.count(in: context)
                #expect(!rows.isEmpty && rows.allSatisfy { $0.1 == count })
            }
        }
    }

    @Test func `nothing is greater or smaller than the mean of no rows`() async throws {
        try await Library.with(.memory) { dal in
            try await dal.read { context in
                let none = Track.where { $0.name == "no such name" }
                let mean: ColumnExpression<Track, Decimal> = none.value { $0.price.average }
                let greater = try Track.count(where: { $0.price > mean }, in: context)
                let others = try Track.count(where: { $0.price <= mean }, in: context)
                #expect(greater == 0 && others == 0)
            }
        }
    }

    @Test func `a change takes its value from other rows`() async throws {
        try await Library.with(.memory) { dal in
            let most = try await dal.read { try Track.max(of: { $0.price }, in: $0) }
            try await dal.write { context in
                try Track.where { $0.seconds > Track.query.value { $0.seconds.min } }
                    .update(
                        set: { [$0.price.set(to: Track.query.value { $0.price.sum })] },
                        in: context)
            }
            let now = try await dal.read { try Track.max(of: { $0.price }, in: $0) }
            #expect(now != most)
        }
    }

    @Test func `several rows as a value are refused, and so is an entity that the store lacks`()
        async throws
    {
        try await Library.with(.memory) { dal in
            try await dal.read { context in
                for query in [Track.query.limit(1), Track.query.offset(2)] {
                    let error = #expect(throws: (any Error).self) {
                        try Track.all(
                            where: { $0.seconds == query.value { $0.seconds.sum } }, in: context)
                    }
                    #expect("\(error.map { "\($0)" } ?? "")".contains("asks for several rows"))
                }
                let error = #expect(throws: (any Error).self) {
                    try Track.all(
                        where: { $0.seconds == Track.query.value { $0.seconds } }, in: context)
                }
                #expect("\(error.map { "\($0)" } ?? "")".contains("asks for several rows"))
                let unknown = #expect(throws: (any Error).self) {
                    try Track.all(
                        where: { $0.seconds == User.query.value { $0.age.sum } }, in: context)
                }
                #expect("\(unknown.map { "\($0)" } ?? "")".contains("Add User.self"))
            }
        }
    }
}
#endif
