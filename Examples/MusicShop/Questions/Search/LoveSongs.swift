#if Macros
import Skiathos

extension Question {
    /// The albums of all tracks that were found are loaded at once, and so are the artists of those.
    static let loveSongs = Question(
        "love-songs", "Which tracks have love and you in their names, the best first?",
        statements: 3
    ) { context in
        Table(
            "number", "track", "album", "artist",
            rows: try Track.search("LOVE you", limit: 10, in: context).map { result in
                let album = try result.value.related(\.album, in: context)
                let artist = try album?.related(\.artist, in: context)
                return [
                    .number(Int(result.value.id.rawValue)),
                    .text(result.highlights["name"] ?? result.value.name),
                    .text(album?.title ?? ""), .text(artist?.name ?? ""),
                ]
            })
    }
}
#endif
