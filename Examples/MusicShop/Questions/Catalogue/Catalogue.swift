#if Macros
import Skiathos

extension Question {
    /// Artists, their albums and the tracks of those, each in one statement for all of them.
    static let catalogue = Question(
        "catalogue", "Which artists fill the most hours?", statements: 3
    ) { context in
        let artists = Artist.query.prefetching(\.albums) { $0.prefetching(\.tracks) }
        var rows: [(name: String, albums: Int, tracks: Int, milliseconds: Int)] = []
        for artist in try artists.all(in: context) {
            let albums = try artist.albums.all(in: context)
            let tracks = try albums.flatMap { try $0.tracks.all(in: context) }
            rows.append(
                (artist.name, albums.count, tracks.count, tracks.reduce(0) { $0 + $1.milliseconds })
            )
        }
        rows.sort { ($1.milliseconds, $0.name) < ($0.milliseconds, $1.name) }
        return Table(
            "artist", "albums", "tracks", "hours",
            rows: rows.prefix(10).map {
                [.text($0.name), .number($0.albums), .number($0.tracks), .hours($0.milliseconds)]
            })
    }
}
#endif
