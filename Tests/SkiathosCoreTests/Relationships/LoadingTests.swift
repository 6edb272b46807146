#if Macros
import Foundation
import Skiathos
import SkiathosTesting
import Testing

/// Loops over relationships cost a fixed number of statements.
struct LoadingTests {
    @Test(arguments: Place.allCases)
    func `all artists with their albums and tracks cost three statements`(
        _ place: Place
    ) async throws {
        try await Library.with(place) { dal in
            let budget = QueryBudget(statements: 3, rows: 200, fullScans: 2)
            let names: [String] = try await dal.read(budget: budget) { context in
                try Artist.all(in: context).flatMap { artist in
                    try artist.albums.all(in: context).flatMap { album in
                        try album.tracks.all(in: context).map {
                            "\(artist.name)/\(album.title)/\($0.name)"
                        }
                    }
                }
            }
            let expected: [String] = try await dal.read { context in
                let tracks = try Track.all(in: context)
                let albums = try Album.all(orderedBy: { [$0.title.ascending] }, in: context)
                return try Artist.all(in: context).flatMap { artist in
                    albums.filter { $0.artist == artist.id }.flatMap { album in
                        tracks.filter { $0.album == album.id }
                            .map { "\(artist.name)/\(album.title)/\($0.name)" }
                    }
                }
            }
            #expect(names == expected)
            #expect(names.count == 100)
        }
    }

    @Test func `a loop over references costs one statement more`() async throws {
        try await Library.with { dal in
            let titles: [String?] = try await dal.read(budget: QueryBudget(statements: 3)) {
                context in
                try Track.all(in: context).map { track in
                    let album = try track.related(\.album, in: context)
                    return try album?.related(\.artist, in: context)?.name
                }
            }
            let expected: [String?] = try await dal.read {
                try Track.select { $0.album.artist.name }.all(in: $0)
            }
            #expect(titles == expected)
        }
    }

    @Test func `a reference that leads nowhere gives nothing, and is asked for once`() async throws
    {
        try await Library.with { dal in
            let teachers: [String?] = try await dal.read(budget: QueryBudget(statements: 2)) {
                context in
                try Artist.all(in: context).map { try $0.related(\.teacher, in: context)?.name }
            }
            #expect(teachers.filter { $0 == nil }.count == 4)
            #expect(teachers[3] == "Artist 2")
        }
    }

    @Test func `both ends of many-to-many cost two statements`() async throws {
        try await Library.with { dal in
            let lengths: [Int] = try await dal.read(budget: QueryBudget(statements: 3)) { context in
                try Playlist.all(in: context).map { try $0.tracks.all(in: context).count }
            }
            #expect(lengths == [100, 60, 0])
            let counts: [Int] = try await dal.read(budget: QueryBudget(statements: 3)) { context in
                try Track.all(in: context).map { try $0.playlists.all(in: context).count }
            }
            #expect(counts.reduce(0, +) == 160)
        }
    }

    @Test func `linked rows come in the order of their links`() async throws {
        try await Library.with { dal in
            let positions: [Int] = try await dal.read { context in
                let playlist = try Playlist.first(where: { $0.name == "All" }, in: context)
                return try playlist?.tracks.all(in: context).map(\.id.number) ?? []
            }
            #expect(positions == positions.sorted(by: >))
            #expect(positions.count == 100)
        }
    }

    @Test func `counts of related rows are asked for once`() async throws {
        try await Library.with { dal in
            let counts: [Int] = try await dal.read(budget: QueryBudget(statements: 2)) { context in
                try Artist.all(in: context).map { try $0.albums.count(in: context) }
            }
            #expect(counts == (0..<20).map { $0 % 4 })
            let long: [Int] = try await dal.read(budget: QueryBudget(statements: 2)) { context in
                try Artist.all(in: context).map { try $0.longAlbums.count(in: context) }
            }
            #expect(
                long == (0..<20).map { n in (0..<(n % 4)).filter { 30 + 20 * $0 + n > 60 }.count })
        }
    }

    @Test func `a row that was fetched alone loads its own`() async throws {
        try await Library.with { dal in
            let titles: [String] = try await dal.read(budget: QueryBudget(statements: 2, rows: 4)) {
                context in
                let artist = try Artist.first(where: { $0.name == "Artist 7" }, in: context)
                return try artist?.albums.all(in: context).map(\.title) ?? []
            }
            #expect(titles == ["Album 7", "Album 8", "Album 9"])
        }
    }

    @Test func `prefetching loads at once what loops look at later`() async throws {
        try await Library.with { dal in
            let count: Int = try await dal.read(budget: QueryBudget(statements: 3)) { context in
                let query = Artist.query.prefetching(\.albums) { $0.prefetching(\.tracks) }
                let artists = try query.all(in: context)
                return try context.withBudget(QueryBudget(statements: 0)) {
                    try artists.reduce(0) { sum, artist in
                        try artist.albums.all(in: context).reduce(sum) {
                            $0 + (try $1.tracks.all(in: context).count)
                        }
                    }
                }
            }
            #expect(count == 100)
            let names: Int = try await dal.read(budget: QueryBudget(statements: 3)) { context in
                let query = Track.query.prefetching(\.album) { $0.prefetching(\.artist) }
                let tracks = try query.all(in: context)
                return try context.withBudget(QueryBudget(statements: 0)) {
                    try tracks.compactMap {
                        try $0.related(\.album, in: context)?.related(\.artist, in: context)
                    }.count
                }
            }
            #expect(names == 100)
        }
    }

    @Test func `a loop in another order, or for the second time, loads nothing more`() async throws
    {
        try await Library.with { dal in
            try await dal.read(budget: QueryBudget(statements: 2)) { context in
                let tracks = try Track.all(in: context)
                for list in [tracks, tracks.reversed(), tracks.sorted { $0.name < $1.name }] {
                    for track in list {
                        let album = try track.related(\.album, in: context)
                        #expect(album?.id == track.album)
                    }
                }
            }
        }
    }

    @Test func `a loop that passes over rows, or uses two references of each, loads nothing more`()
        async throws
    {
        try await Library.with { dal in
            try await dal.read(budget: QueryBudget(statements: 3)) { context in
                let entries = try Entry.all(in: context)
                for step in 1...9 {
                    for index in stride(from: step - 1, to: entries.count, by: step) {
                        let entry = entries[index]
                        #expect(try entry.related(\.track, in: context)?.id == entry.track)
                        #expect(try entry.related(\.playlist, in: context)?.id == entry.playlist)
                    }
                }
            }
        }
    }

    @Test func `each of several lists loads for its own rows, in whatever order they are used`()
        async throws
    {
        try await Library.with { dal in
            try await dal.read(budget: QueryBudget(statements: 6)) { context in
                // Of neighbours, so that the lists have few albums in common.
                let lists = try (0..<3).map { part in
                    try Track.order { $0.id.ascending }.limit(20).offset(20 * part).all(in: context)
                }
                for list in [lists[1], lists[0], lists[2]] {
                    for track in list {
                        #expect(try track.related(\.album, in: context)?.id == track.album)
                    }
                }
            }
        }
    }

    @Test func `a changed copy finds what it refers to now`() async throws {
        try await Library.with { dal in
            try await dal.read { context in
                let artists = try Artist.all(in: context)
                for (artist, other) in zip(artists, artists.reversed()) {
                    var copy = artist
                    copy.teacher = other.id
                    #expect(try copy.related(\.teacher, in: context) == other)
                    copy.teacher = nil
                    #expect(try copy.related(\.teacher, in: context) == nil)
                    let teacher = try artist.related(\.teacher, in: context)
                    #expect(teacher?.id == artist.teacher)
                }
            }
        }
    }

    @Test func `a relationship that is prefetched for one row alone is kept for it`() async throws {
        try await Library.with { dal in
            try await dal.read(budget: QueryBudget(statements: 4)) { context in
                let query = Track.query.prefetching(\.album) {
                    $0.prefetching(\.artist).prefetching(\.tracks)
                }
                let track = try #require(try query.first(in: context))
                try context.withBudget(QueryBudget(statements: 0)) {
                    let album = try track.related(\.album, in: context)
                    #expect(album?.id == track.album)
                    #expect(try album?.related(\.artist, in: context) != nil)
                    #expect(try album?.tracks.all(in: context).contains(track) == true)
                }
            }
        }
    }

    @Test func `linked rows are prefetched, and what they refer to`() async throws {
        try await Library.with { dal in
            let titles: Int = try await dal.read(budget: QueryBudget(statements: 4)) { context in
                let query = Playlist.query.prefetching(\.tracks) { $0.prefetching(\.album) }
                let playlists = try query.all(in: context)
                return try context.withBudget(QueryBudget(statements: 0)) {
                    try playlists.flatMap { try $0.tracks.all(in: context) }
                        .compactMap { try $0.related(\.album, in: context) }.count
                }
            }
            #expect(titles == 160)
        }
    }

    @Test func `related rows are those of the version that the read sees`() async throws {
        try await Library.with { dal in
            let (before, after): (Int, Int) = try await dal.read { context in
                let artists = try Artist.all(in: context)
                let before = try artists.map { try $0.albums.count(in: context) }.reduce(0, +)
                return (
                    before, try artists.map { try $0.albums.all(in: context).count }.reduce(0, +)
                )
            }
            #expect(before == after)
        }
    }

    @Test func `a condition follows references and counts related rows`() async throws {
        try await Library.with { dal in
            try await dal.read { context in
                let none = try Artist.all(where: { $0.albums.isEmpty }, in: context)
                #expect(
                    none.map(\.name) == [
                        "Artist 0", "Artist 4", "Artist 8", "Artist 12", "Artist 16",
                    ])
                let pupils = try Artist.count(where: { $0.teacher.name == "Artist 2" }, in: context)
                #expect(pupils == 1)
                let free = try Artist.count(where: { $0.teacher.name != "Artist 2" }, in: context)
                #expect(free == 19)
                let deep = try Track.count(
                    where: { $0.album.artist.teacher.name.hasPrefix("Artist 1") }, in: context)
                let slow = try Track.all(in: context).filter { track in
                    let artist = try track.related(\.album, in: context)?.related(
                        \.artist, in: context)
                    return try artist?.related(\.teacher, in: context)?.name.hasPrefix("Artist 1")
                        == true
                }
                #expect(deep == slow.count)
                let some = try Playlist.all(
                    where: { $0.tracks.exists { $0.composer == "Composer 3" } }, in: context)
                #expect(some.map(\.name) == ["All"])
                let busy = try Artist.ids(
                    where: { $0.albums.sum { $0.minutes } > 150 }, in: context)
                let artists = try Artist.all(in: context)
                let minutes = try artists.map {
                    try $0.albums.all(in: context).map(\.minutes).reduce(0, +)
                }
                let long = zip(artists, minutes).filter { $0.1 > 150 }.map(\.0.id)
                #expect(Set(busy) == Set(long))
                #expect(busy.count == 5)
                let all = try Artist.count(
                    where: { $0.albums.allSatisfy { $0.minutes < 60 } }, in: context)
                let short = try artists.filter {
                    try $0.albums.all(in: context).allSatisfy { $0.minutes < 60 }
                }
                #expect(all == short.count)
                let colleagues = try Artist.count(
                    where: { $0.teacher.pupils.count > 0 }, in: context)
                #expect(colleagues == 16)
            }
        }
    }

    @Test func `the mean of decimal numbers of related rows is exact`() async throws {
        try await Library.with { dal in
            try await dal.read { context in
                let prices = try Album.select { ($0.id, $0.tracks.average { $0.price }) }
                    .all(in: context)
                for (id, average) in prices {
                    let tracks = try Track.all(where: { $0.album == id }, in: context)
                    let sum = tracks.reduce(Decimal()) { $0 + $1.price }
                    #expect(average == sum / Decimal(tracks.count))
                }
                #expect(prices.count == 30)
                let none = try Artist.select { $0.albums.average { $0.minutes } }
                    .first(in: context)
                #expect(none == .some(nil))
            }
        }
    }
}
#endif
