#if Macros
import Skiathos

extension Question {
    static let longestPlaylists = Question(
        "longest-playlists", "Which playlists have the most hours?", statements: 1
    ) { context in
        let playlists = Playlist.where { $0.tracks.exists() }
            .order { $0.tracks.sum { $0.milliseconds }.descending }
            .select { ($0.id, $0.name, $0.tracks.count, $0.tracks.sum { $0.milliseconds }) }
        return Table(
            "number", "playlist", "tracks", "hours",
            rows: try playlists.all(in: context).map { id, name, tracks, milliseconds in
                [.number(Int(id.rawValue)), .text(name), .number(tracks), .hours(milliseconds)]
            })
    }
}
#endif
