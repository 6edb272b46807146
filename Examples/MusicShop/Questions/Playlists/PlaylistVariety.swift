#if Macros
import Skiathos

extension Question {
    static let playlistVariety = Question(
        "playlist-variety", "How many artists, albums and genres are on each playlist?",
        statements: 1
    ) { context in
        let playlists = PlaylistTrack.grouped { ($0.playlist, $0.playlist.name) }
            .order { $0.track.album.artist.distinctCount.descending }
            .select {
                (
                    $0.track.album.artist.distinctCount, $0.track.album.distinctCount,
                    $0.track.genre.distinctCount
                )
            }
        return Table(
            "number", "playlist", "artists", "albums", "genres",
            rows: try playlists.all(in: context).map { playlist, counts in
                [
                    .number(Int(playlist.0.rawValue)), .text(playlist.1), .number(counts.0),
                    .number(counts.1), .number(counts.2),
                ]
            })
    }
}
#endif
