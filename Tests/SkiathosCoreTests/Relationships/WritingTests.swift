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
