#if Macros
import Skiathos
import SkiathosTesting
import Testing

/// Relationships inside a write show what the write has done so far.
struct RelationshipWritingTests {
    @Test(arguments: Place.allCases)
    func `objects are loaded for the whole batch, one for each row`(_ place: Place) async throws {
        try await Library.with(place) { dal in
            try await dal.write(budget: QueryBudget(statements: 3)) { context in
                let tracks = try Track.all(in: context)
                let albums = try tracks.compactMap { try $0.related(\.album, in: context) }
                #expect(albums.count == tracks.count)
                #expect(Set(albums.map(ObjectIdentifier.init)).count == 30)
                let artists = try albums.compactMap { try $0.related(\.artist, in: context) }
                for artist in artists { artist.name += "!" }
            }
            let shouting = try await dal.read {
                try Artist.count(where: { $0.name.hasSuffix("!!!!") }, in: $0)
            }
            #expect(shouting > 0)
        }
    }

    @Test func `a loop that changes what it has loaded loads it once`() async throws {
        try await Library.with { dal in
            try await dal.write(budget: QueryBudget(statements: 3)) { context in
                for artist in try Artist.all(in: context) {
                    for album in try artist.albums.filter({ $0.minutes > 0 }).all(in: context) {
                        for track in try album.tracks.all(in: context) { track.seconds += 1 }
                    }
                }
            }
            let sum: Int = try await dal.read { try Track.sum(of: { $0.seconds }, in: $0) }
            let expected: Int = try await dal.read { context in
                try Track.all(in: context).map { 101 + 10 * (Int($0.name.suffix(1)) ?? 0) }.reduce(
                    0, +)
            }
            #expect(sum == expected)
        }
    }

    @Test func `a loop that moves rows sees where they are`() async throws {
        try await Library.with { dal in
            try await dal.write { context in
                let artists = try Artist.all(in: context)
                var seen = 0
                // Each hands its long albums on to the next; the condition decides anew each time.
                for (artist, next) in zip(artists, artists.dropFirst()) {
                    let long = try artist.longAlbums.all(in: context)
                    let expected = try Album.all(
                        where: { $0.artist == artist.id && $0.minutes > 60 },
                        orderedBy: { [$0.title.ascending] }, in: context)
                    #expect(long.map(\.id) == expected.map(\.id))
                    seen += long.count
                    for (position, album) in long.enumerated() {
                        if position == 0 { album.minutes = 10 } else { album.artist = next.id }
                    }
                }
                #expect(seen > 5)
            }
        }
    }

    @Test func `rows that were found by their IDs load their relationships at once`() async throws {
        try await Library.with { dal in
            let count: Int = try await dal.read(budget: QueryBudget(statements: 2)) { context in
                let artists = try Artist.find([2, 3, 4, 7, 8], in: context).found
                return try artists.map { try $0.albums.count(in: context) }.reduce(0, +)
            }
            #expect(count == 1 + 2 + 3 + 2 + 3)
        }
    }

    @Test func `a moved row leaves one list and joins another at once`() async throws {
        try await Library.with { dal in
            try await dal.write { context in
                let artists = try Artist.all(in: context)
                let from = artists[3]
                let to = artists[4]
                let album = try #require(try from.albums.all(in: context).first)
                #expect(try to.albums.count(in: context) == 0)
                album.artist = to.id
                #expect(try from.albums.all(in: context).count == 2)
                #expect(try to.albums.all(in: context).map(\.id) == [album.id])
                album.artist = nil
                #expect(try to.albums.count(in: context) == 0)
                try from.delete()
                #expect(try Album.where { $0.artist == from.id }.count(in: context) == 0)
                #expect(try album.related(\.artist, in: context) == nil)
            }
        }
    }

    @Test func `deleting one end of many-to-many takes the links with it`() async throws {
        try await Library.with { dal in
            try await dal.write { context in
                let playlists = try Playlist.all(in: context)
                let all = playlists[0]
                let track = try #require(try all.tracks.all(in: context).first)
                let link = try #require(try track.playlists.links.all(in: context).first)
                try track.delete()
                #expect(try all.tracks.count(in: context) == 99)
                #expect(link.isDeleted)
            }
        }
    }

    @Test func `a row is connected once, and its link keeps its attributes`() async throws {
        try await Library.with { dal in
            try await dal.write { context in
                let empty = try #require(
                    try Playlist.first(where: { $0.name == "Empty" }, in: context))
                let track = try #require(try Track.first(in: context))
                let link = try empty.tracks.add(track.id, in: context) { $0.position = 5 }
                let again = try empty.tracks.add(track.id, in: context) { $0.position += 1 }
                #expect(link === again)
                #expect(try empty.tracks.all(in: context).map(\.id) == [track.id])
                #expect(try empty.tracks.links.all(in: context).map(\.position) == [6])
                #expect(try empty.tracks.remove(track.id, in: context))
                #expect(try empty.tracks.remove(track.id, in: context) == false)
                #expect(try empty.tracks.count(in: context) == 0)
            }
        }
    }

    @Test func `a failed scope leaves no list behind that it had changed`() async throws {
        struct Refusal: Error {}
        try await Library.with { dal in
            try await dal.write { context in
                let artists = try Artist.all(in: context)
                #expect(try artists[1].albums.count(in: context) == 1)
                #expect(throws: Refusal.self) {
                    try context.nested { context in
                        try Album.where { $0.artist == artists[1].id }.deleteAll(in: context)
                        #expect(try artists[1].albums.count(in: context) == 0)
                        throw Refusal()
                    }
                }
                #expect(try artists[1].albums.all(in: context).count == 1)
            }
        }
    }
}
#endif
