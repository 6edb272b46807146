#if Macros
import Skiathos

struct PlaylistRecord: ShopRecord {
    let playlistId: Int64
    let name: String

    var row: Playlist {
        var row = Playlist(id: .init(rawValue: playlistId))
        row.name = name
        return row
    }
}

/// A link, which has no ID in the file: the two that it connects are its key.
struct PlaylistTrackRecord: ShopRecord {
    let playlistId: Int64
    let trackId: Int64

    var row: PlaylistTrack {
        var row = PlaylistTrack()
        row.playlist = .init(rawValue: playlistId)
        row.track = .init(rawValue: trackId)
        return row
    }

    static func check(_ rows: [PlaylistTrack]) {}

    static func store(
        _ rows: ArraySlice<PlaylistTrack>, in context: WriteContext
    ) throws -> UpsertReport<PlaylistTrack> {
        try PlaylistTrack.upsert(rows, by: \.playlist, \.track, in: context)
    }
}
#endif
