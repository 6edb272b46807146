#if Macros
import Foundation
import Skiathos
import SkiathosTesting

/// Music, with every kind of relationship.
@Entity struct Artist: Equatable {
    @Searchable var name = ""
    /// Whom the artist has learned from.
    var teacher: Artist.ID?
    var albums: ToMany<Album> { ToMany(\.artist, of: id).order { $0.title.ascending } }
    var longAlbums: ToMany<Album> { albums.filter { $0.minutes > 60 } }
    var pupils: ToMany<Artist> { ToMany(\.teacher, of: id) }
}

@Entity struct Album: Equatable {
    var title = ""
    var minutes = 0
    var artist: Artist.ID?
    var tracks: ToMany<Track> { ToMany(\.album, of: id) }
}

@Entity struct Track: Equatable {
    @Searchable var name = ""
    @Searchable var composer: String?
    @References(onDelete: .cascade) var album: Album.ID = .unassigned
    var seconds = 0
    var price = Decimal(0)
    var playlists: ManyToMany<Playlist, Entry> { ManyToMany(\.track, \.playlist, of: id) }
}

@Entity struct Playlist: Equatable {
    @Unique var name = ""
    var tracks: ManyToMany<Track, Entry> {
        ManyToMany(\.playlist, \.track, of: id).order { $0.position.ascending }
    }
}

@Entity struct Entry: Equatable {
    @Unique(with: "track") @References(onDelete: .cascade) var playlist: Playlist.ID = .unassigned
    @References(onDelete: .cascade) var track: Track.ID = .unassigned
    var position = 0
}

/// A library of 20 artists with none to three albums of one to four tracks, in two playlists.
struct Library: Sendable {
    static let entities: [any Entity.Type] = [
        Artist.self, Album.self, Track.self, Playlist.self, Entry.self,
    ]

    /// Opens a store with the library.
    static func with(
        _ place: Place = .file, _ body: @Sendable (DataAccessLayer) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let source = place == .memory ? StoreSource.inMemory : .sqlite(directory.file("m.sqlite"))
        try await withStore(source, entities: entities) { dal in
            try await dal.write { try fill($0) }
            try await body(dal)
        }
        withExtendedLifetime(directory) {}
    }

    private static func fill(_ context: WriteContext) throws {
        let all = try Playlist.create(in: context) { $0.name = "All" }
        let short = try Playlist.create(in: context) { $0.name = "Short" }
        _ = try Playlist.create(in: context) { $0.name = "Empty" }
        var teacher: Artist.ID?
        for number in 0..<20 {
            let artist = try Artist.create(in: context) {
                $0.name = "Artist \(number)"
                $0.teacher = number % 5 == 0 ? nil : teacher
            }
            teacher = artist.id
            for album in 0..<(number % 4) {
                let album = try Album.create(in: context) {
                    $0.title = "Album \(9 - album)"
                    $0.minutes = 30 + 20 * album + number
                    $0.artist = artist.id
                }
                for track in 0...(number % 4) {
                    let track = try Track.create(in: context) {
                        $0.name = "Song \(number) \(track)"
                        $0.composer = track == 0 ? nil : "Composer \(track)"
                        $0.album = album.id
                        $0.seconds = 100 + 10 * track
                        $0.price = Decimal(99 + track) / 100
                    }
                    try all.tracks.add(track.id, in: context) { $0.position = 1000 - $0.id.number }
                    if track.seconds < 120 { try short.tracks.add(track.id, in: context) }
                }
            }
        }
    }
}

extension EntityID where E.RawID == Int64 {
    /// The key as a number for sums.
    var number: Int { Int(rawValue) }
}
#endif
