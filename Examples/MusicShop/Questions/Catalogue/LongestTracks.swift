#if Macros
import Skiathos

extension Question {
    static let longestTracks = Question(
        "longest-tracks",
        "Which is the longest track of each album, where it takes a quarter of an hour?",
        statements: 1
    ) { context in
        let tracks = Track.where {
            $0.mediaType.name.contains("audio") && $0.milliseconds >= 900_000
                && $0.milliseconds.optional == $0.album.tracks.max { $0.milliseconds }
        }
        .order { $0.milliseconds.descending }
        .select { ($0.name, $0.album.title, $0.album.artist.name, $0.milliseconds) }
        return Table(
            "track", "album", "artist", "length",
            rows: try tracks.all(in: context).map { name, album, artist, length in
                [.text(name), .text(album), .text(artist), .minutes(length)]
            })
    }
}
#endif
