#if Macros
import Skiathos

extension Question {
    static let composers = Question(
        "composers", "Which composers have the most tracks?", statements: 1
    ) { context in
        let composers = Track.where { $0.composer != nil }
            .grouped { $0.composer ?? "" }
            .order { $0.id.count.descending }
            .limit(10)
            .select { ($0.id.count, $0.album.distinctCount, $0.milliseconds.sum) }
        return Table(
            "composer", "tracks", "albums", "hours",
            rows: try composers.all(in: context).map { composer, work in
                [.text(composer), .number(work.0), .number(work.1), .hours(work.2)]
            })
    }
}
#endif
