#if Macros
import Foundation
import Skiathos
import TestSupport
import Testing

/// Values from the place of a row among others, compared with plain Swift.
struct WindowTests {
    @Test(arguments: Seed.each(1, 2, 3, 4), [Place.file, .memory])
    func `windows over random rows are what plain Swift computes`(
        _ seed: UInt64, _ place: Place
    ) async throws {
        try await withSeed(seed) {
            try await Library.with(place) { dal in
                let tracks = try await Self.fill(dal, seed)
                try await dal.read { try Self.checkPlaces(tracks, $0) }
                try await dal.read { try Self.checkNeighbours(tracks, $0) }
                try await dal.read { try Self.checkSums(tracks, $0) }
            }
        }
    }

    /// Replaces the tracks by random ones, many of them equal in what they are sorted by.
    private static func fill(_ dal: DataAccessLayer, _ seed: UInt64) async throws -> [Track] {
        try await dal.write { context in
            var generator = SeededNumbers(seed: seed)
            let albums = try Album.all(in: context).map(\.id)
            try Track.deleteAll(in: context)
            for _ in 0..<60 {
                try Track.create(in: context) {
                    $0.name = ["a", "b", "c"].randomElement(using: &generator) ?? ""
                    $0.composer = ["x", "y", nil].randomElement(using: &generator) ?? nil
                    $0.album = albums.randomElement(using: &generator) ?? .unassigned
                    $0.seconds = .random(in: 1...5, using: &generator)
                    $0.price = Decimal(Int.random(in: -999...999, using: &generator)) / 100
                }
            }
        }
        return try await dal.read { try Track.order { $0.id.ascending }.all(in: $0) }
    }

    private static func checkPlaces(_ tracks: [Track], _ context: ReadContext) throws {
        let places = try Track.order { $0.id.ascending }.select {
            (
                $0.seconds.descending.rank(within: .by($0.album)),
                $0.seconds.descending.denseRank(), $0.seconds.ascending.rowNumber(within: .all)
            )
        }.all(in: context)
        for (track, (rank, denseRank, number)) in zip(tracks, places) {
            let mates = tracks.filter { $0.album == track.album }
            #expect(rank == 1 + mates.count { $0.seconds > track.seconds })
            #expect(
                denseRank
                    == 1 + Set(tracks.map(\.seconds).filter { $0 > track.seconds }).count)
            #expect(
                number
                    == 1
                    + tracks.count {
                        ($0.seconds, $0.id.rawValue) < (track.seconds, track.id.rawValue)
                    })
        }
    }

    private static func checkNeighbours(_ tracks: [Track], _ context: ReadContext) throws {
        let found = try Track.order { $0.id.ascending }.select {
            (
                $0.name.previous(by: $0.seconds.ascending, within: .by($0.album, $0.composer)),
                $0.composer.previous(2, by: $0.price.descending, $0.name.ascending),
                $0.price.next(by: $0.id.ascending)
            )
        }.all(in: context)
        for (track, (name, composer, price)) in zip(tracks, found) {
            let mates = tracks.filter {
                $0.album == track.album && $0.composer == track.composer
            }
            let before = mates.sorted(by: { first, second in
                (first.seconds, first.id.rawValue) < (second.seconds, second.id.rawValue)
            })
            let own = before.firstIndex { $0.id == track.id } ?? 0
            #expect(name == (own > 0 ? before[own - 1].name : nil))
            let dear = tracks.sorted { first, second in
                first.price != second.price
                    ? first.price > second.price
                    : (first.name, first.id.rawValue) < (second.name, second.id.rawValue)
            }
            let place = dear.firstIndex { $0.id == track.id } ?? 0
            #expect(composer == (place > 1 ? dear[place - 2].composer : nil))
            #expect(price == tracks.first { $0.id.rawValue > track.id.rawValue }?.price)
        }
    }

    private static func checkSums(_ tracks: [Track], _ context: ReadContext) throws {
        let found = try Track.order { $0.id.ascending }.select {
            (
                $0.price.sum.running(by: $0.seconds.ascending, within: .by($0.name)),
                $0.price.average.total(within: .by($0.name)),
                $0.seconds.sum.running(by: $0.id.ascending),
                $0.seconds.max.total(), $0.price.min.running(by: $0.id.ascending)
            )
        }.all(in: context)
        for (track, (running, mean, seconds, longest, cheapest)) in zip(tracks, found) {
            let mates = tracks.filter { $0.name == track.name }
            let sum = mates.filter {
                ($0.seconds, $0.id.rawValue) <= (track.seconds, track.id.rawValue)
            }.reduce(0) { $0 + $1.price }
            #expect(running == sum)
            #expect(mean == mates.reduce(0) { $0 + $1.price } / Decimal(mates.count))
            let earlier = tracks.filter { $0.id.rawValue <= track.id.rawValue }
            #expect(seconds == earlier.reduce(0) { $0 + $1.seconds })
            #expect(longest == tracks.map(\.seconds).max())
            #expect(cheapest == earlier.map(\.price).min())
        }
    }

    @Test func `groups have a rank and running sums, too, and can be sorted by them`()
        async throws
    {
        try await Library.with(.memory) { dal in
            let tracks = try await Self.fill(dal, 7)
            let rows = try await dal.read { context in
                try Track.grouped { $0.seconds }
                    .order { [$0.price.sum.descending.rowNumber().ascending] }
                    .select {
                        (
                            $0.price.sum, $0.price.sum.descending.rank(),
                            $0.id.count.sum.running(by: $0.seconds.ascending)
                        )
                    }.all(in: context)
            }
            let sums = Dictionary(grouping: tracks, by: \.seconds)
                .mapValues { $0.reduce(Decimal(0)) { $0 + $1.price } }
            #expect(rows.map(\.value.1) == rows.map(\.value.1).sorted())
            for row in rows {
                #expect(row.value.0 == sums[row.key])
                #expect(row.value.1 == 1 + sums.values.count { $0 > row.value.0 })
                #expect(row.value.2 == tracks.count { $0.seconds <= row.key })
            }
        }
    }

    @Test func `a place is computed before the limit and is a sort key like any other`()
        async throws
    {
        try await Library.with(.memory) { dal in
            let tracks = try await Self.fill(dal, 3)
            let first = try await dal.read { context in
                try Track.order { $0.price.descending.rank().ascending }.limit(3)
                    .select { ($0.price, $0.price.descending.rank()) }.all(in: context)
            }
            let dearest = tracks.map(\.price).sorted(by: >).prefix(3)
            #expect(first.map(\.0) == Array(dearest))
            #expect(
                first.map(\.1)
                    == dearest.map { price in
                        1 + tracks.count { $0.price > price }
                    })
        }
    }

    @Test func `a window where there is one row, and one that means nothing, are refused`()
        async throws
    {
        try await Library.with(.memory) { dal in
            try await dal.read { context in
                func refused(_ body: () throws -> Void, _ words: String) {
                    let error = #expect(throws: (any Error).self) { try body() }
                    #expect("\(error.map { "\($0)" } ?? "")".contains(words))
                }
                refused(
                    {
                        _ = try Track.all(
                            where: { $0.price.descending.rank() <= 3 }, in: context)
                    }, "where there is one row")
                refused(
                    {
                        _ = try Track.order { $0.price.descending.rank().ascending }.all(
                            in: context)
                    },
                    "where there is one row")
                refused(
                    { _ = try Track.select { $0.price.total() }.all(in: context) },
                    "no aggregate")
                refused(
                    { _ = try Track.select { $0.price.sum.running() }.all(in: context) },
                    "without a sort key")
                refused(
                    {
                        _ = try Track.select { $0.price.previous(0, by: $0.id.ascending) }
                            .all(in: context)
                    }, "expected at least 1")
                refused(
                    { _ = try Track.select { $0.name.distinctCount.total() }.all(in: context) },
                    "different values over a window")
                refused(
                    {
                        _ = try Track.grouped { $0.name }.having { $0.name.ascending.rank() == 1 }
                            .select { $0.id.count }.all(in: context)
                    }, "has a condition on")
            }
        }
    }
}
#endif
