#if Macros
import Skiathos

extension Question {
    static let halfSoldAlbums = Question(
        "half-sold-albums",
        "Which albums have the most tracks that were never sold beside others that were?",
        statements: 1
    ) { context in
        let albums = Album.where {
            $0.tracks.exists { $0.invoiceLines.exists() }
                && !$0.tracks.allSatisfy { $0.invoiceLines.exists() }
        }
        .order { $0.tracks.filter { $0.invoiceLines.isEmpty }.count.descending }
        .limit(10)
        .select {
            (
                $0.title, $0.artist.name, $0.tracks.count,
                $0.tracks.filter { $0.invoiceLines.isEmpty }.count
            )
        }
        return Table(
            "album", "artist", "tracks", "never sold",
            rows: try albums.all(in: context).map { title, artist, tracks, unsold in
                [.text(title), .text(artist), .number(tracks), .number(unsold)]
            })
    }
}
#endif
