#if Macros
import Skiathos

extension Question {
    /// The playlists of all tracks take two statements: their links, and themselves.
    static let popularTracks = Question(
        "popular-tracks", "Which tracks are on the most playlists, and on which?", statements: 3
    ) { context in
        let tracks = Track.order { [$0.playlists.count.descending, $0.name.ascending] }.limit(10)
        return Table(
            "track", "playlists", "names",
            rows: try tracks.all(in: context).map { track in
                let playlists = try track.playlists.order { $0.playlist.name.ascending }
                    .all(in: context)
                return [
                    .text(track.name), .number(playlists.count),
                    .text(playlists.map(\.name).joined(separator: ", ")),
                ]
            })
    }
}
#endif
