#if Macros && Requests
import Skiathos

/// What server and client send each other of an artist.
struct ArtistRecord: Codable, Sendable, Hashable {
    var key: String
    var name: String
}

/// What they send each other of an album.
struct AlbumRecord: Codable, Sendable, Hashable {
    var key: String
    var title: String
    var artist: String
}

/// What they send each other of a track.
struct TrackRecord: Codable, Sendable, Hashable {
    var key: String
    var name: String
    var milliseconds: Int
    var cents: Int
    var album: String
}

/// All that one side has, to be compared with the other.
struct Contents: Sendable, Hashable {
    var artists: [ArtistRecord]
    var albums: [AlbumRecord]
    var tracks: [TrackRecord]

    /// How much there is.
    var summary: String {
        "\(artists.count) artists, \(albums.count) albums, \(tracks.count) tracks"
    }

    /// Reads everything in the order of the keys.
    init(in context: ReadContext) throws {
        let artists = try Artist.all(orderedBy: { [$0.key.ascending] }, in: context)
        let albums = try Album.all(orderedBy: { [$0.key.ascending] }, in: context)
        let tracks = try Track.all(orderedBy: { [$0.key.ascending] }, in: context)
        let artistKeys = Dictionary(uniqueKeysWithValues: artists.map { ($0.id, $0.key) })
        let albumKeys = Dictionary(uniqueKeysWithValues: albums.map { ($0.id, $0.key) })
        self.artists = artists.map(\.record)
        self.albums = albums.map { $0.record(artist: artistKeys[$0.artist] ?? "") }
        self.tracks = tracks.map { $0.record(album: albumKeys[$0.album] ?? "") }
    }

    /// How many rows are not the same on both sides.
    func differences(from other: Contents) -> Int {
        Set(artists).symmetricDifference(other.artists).count
            + Set(albums).symmetricDifference(other.albums).count
            + Set(tracks).symmetricDifference(other.tracks).count
    }
}

extension Artist {
    var record: ArtistRecord { ArtistRecord(key: key, name: name) }
}

extension Album {
    func record(artist: String) -> AlbumRecord {
        AlbumRecord(key: key, title: title, artist: artist)
    }
}

extension Track {
    func record(album: String) -> TrackRecord {
        TrackRecord(key: key, name: name, milliseconds: milliseconds, cents: cents, album: album)
    }

    /// Takes over what a record says, for an album that is there.
    mutating func take(_ record: TrackRecord, album: Album.ID) {
        (key, name) = (record.key, record.name)
        (milliseconds, cents) = (record.milliseconds, record.cents)
        self.album = album
    }
}
#endif
