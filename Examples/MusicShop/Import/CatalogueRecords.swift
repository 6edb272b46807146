#if Macros
import Foundation
import Skiathos

struct GenreRecord: ShopRecord {
    let genreId: Int64
    let name: String

    var row: Genre {
        var row = Genre(id: .init(rawValue: genreId))
        row.name = name
        return row
    }
}

struct MediaTypeRecord: ShopRecord {
    let mediaTypeId: Int64
    let name: String

    var row: MediaType {
        var row = MediaType(id: .init(rawValue: mediaTypeId))
        row.name = name
        return row
    }
}

struct ArtistRecord: ShopRecord {
    let artistId: Int64
    let name: String

    var row: Artist {
        var row = Artist(id: .init(rawValue: artistId))
        row.name = name
        return row
    }
}

struct AlbumRecord: ShopRecord {
    let albumId: Int64
    let title: String
    let artistId: Int64

    var row: Album {
        var row = Album(id: .init(rawValue: albumId))
        row.title = title
        row.artist = .init(rawValue: artistId)
        return row
    }
}

struct TrackRecord: ShopRecord {
    let trackId: Int64
    let name: String
    let albumId: Int64
    let mediaTypeId: Int64
    let genreId: Int64?
    let composer: String?
    let milliseconds: Int
    let bytes: Int
    let unitPrice: Decimal

    var row: Track {
        var row = Track(id: .init(rawValue: trackId))
        row.name = name
        row.album = .init(rawValue: albumId)
        row.mediaType = .init(rawValue: mediaTypeId)
        row.genre = genreId.map(Genre.ID.init(rawValue:))
        row.composer = composer?.ifNotEmpty
        row.milliseconds = milliseconds
        row.bytes = bytes
        row.unitPrice = unitPrice
        return row
    }
}
#endif
