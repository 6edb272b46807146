#if Macros
import Skiathos

extension Question {
    static let loveSongs = Question(
        "love-songs", "Which tracks have love and you in their names, the best first?",
        statements: 1
    ) { context in
        Table(
            "number", "track", "length",
            rows: try Track.search("LOVE you", limit: 10, in: context).map { result in
                [
                    .number(Int(result.value.id.rawValue)),
                    .text(result.highlights["name"] ?? result.value.name),
                    .minutes(result.value.milliseconds),
                ]
            })
    }
}
#endif
