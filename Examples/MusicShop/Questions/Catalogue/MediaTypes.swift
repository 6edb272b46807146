#if Macros
import Skiathos

extension Question {
    static let mediaTypes = Question(
        "media-types", "Which share of the tracks has each media type?", statements: 1
    ) { context in
        let types = MediaType.order { $0.tracks.count.descending }
            .select { ($0.name, $0.tracks.count, $0.tracks.sum { $0.bytes }) }
        let rows = try types.all(in: context)
        let all = rows.reduce(0) { $0 + $1.1 }
        return Table(
            "media type", "tracks", "share", "megabytes",
            rows: rows.map { name, tracks, bytes in
                [.text(name), .number(tracks), .share(tracks, of: all), .number(bytes / 1_000_000)]
            })
    }
}
#endif
