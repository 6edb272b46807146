#if Macros
import Skiathos

extension Question {
    static let bluesArtists = Question(
        "blues-artists", "Whose albums have blues in their titles or in a name of a track?",
        statements: 1
    ) { context in
        let albums = Album.query.matching("blue", .prefixes)
            .or(Album.where { $0.tracks.exists { _ in .matching("blues") } })
            .order { [$0.artist.name.ascending, $0.title.ascending] }
            .select {
                (
                    $0.artist.name, $0.title, $0.tracks.count,
                    $0.tracks.filter { _ in .matching("blues") }.count
                )
            }
        return Table(
            "artist", "album", "tracks", "with blues",
            rows: try albums.all(in: context).map { artist, album, tracks, blues in
                [.text(artist), .text(album), .number(tracks), .number(blues)]
            })
    }
}
#endif
