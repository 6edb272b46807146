#if Macros
import Skiathos

extension Question {
    static let shortPlaylists = Question(
        "short-playlists", "What is on the playlists of at most 15 tracks?", statements: 3
    ) { context in
        let playlists = Playlist.where { $0.tracks.exists() && $0.tracks.count <= 15 }
            .order { $0.name.ascending }
        return Table(
            "playlist", "track", "length",
            rows: try playlists.all(in: context).flatMap { playlist in
                try playlist.tracks.order { $0.track.name.ascending }.all(in: context).map {
                    track in
                    [.text(playlist.name), .text(track.name), .minutes(track.milliseconds)]
                }
            })
    }
}
#endif
