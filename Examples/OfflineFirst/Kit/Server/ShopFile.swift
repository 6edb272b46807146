#if Macros && Requests
import Foundation
import Skiathos

/// The part of the shop's file that the server offers.
struct ShopFile: Decodable, Sendable {
    struct ArtistRow: Decodable, Sendable {
        let ArtistId: Int
        let Name: String
    }

    struct AlbumRow: Decodable, Sendable {
        let AlbumId: Int
        let Title: String
        let ArtistId: Int
    }

    struct TrackRow: Decodable, Sendable {
        let TrackId: Int
        let Name: String
        let AlbumId: Int
        let Milliseconds: Int
        let UnitPrice: Decimal

        var cents: Int { NSDecimalNumber(decimal: UnitPrice * 100).intValue }
    }

    let Artist: [ArtistRow]
    let Album: [AlbumRow]
    let Track: [TrackRow]

    /// Reads the file.
    init(path: String) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        self = try JSONDecoder().decode(ShopFile.self, from: data)
    }

    /// Stores the rows in an empty store.
    func store(in context: WriteContext) throws {
        for row in Artist {
            try OfflineFirstKit.Artist.create(id: .init(rawValue: Int64(row.ArtistId)), in: context)
            {
                ($0.key, $0.name) = ("artist-\(row.ArtistId)", row.Name)
            }
        }
        for row in Album {
            try OfflineFirstKit.Album.create(id: .init(rawValue: Int64(row.AlbumId)), in: context) {
                ($0.key, $0.title) = ("album-\(row.AlbumId)", row.Title)
                $0.artist = .init(rawValue: Int64(row.ArtistId))
            }
        }
        for row in Track {
            try OfflineFirstKit.Track.create(id: .init(rawValue: Int64(row.TrackId)), in: context) {
                ($0.key, $0.name) = ("track-\(row.TrackId)", row.Name)
                ($0.milliseconds, $0.cents) = (row.Milliseconds, row.cents)
                $0.album = .init(rawValue: Int64(row.AlbumId))
            }
        }
    }
}
#endif
