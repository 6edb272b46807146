#if Macros
import Skiathos

extension Question {
    static let genres = Question(
        "genres", "What does a track of each genre cost, and how long is it?", statements: 1
    ) { context in
        let genres = Genre.order {
            [
                $0.tracks.average { $0.unitPrice }.descending,
                $0.tracks.average { $0.milliseconds }.descending,
            ]
        }
        .select {
            (
                $0.name, $0.tracks.count, $0.tracks.average { $0.unitPrice },
                $0.tracks.average { $0.milliseconds }
            )
        }
        return Table(
            "genre", "tracks", "average price", "average length",
            rows: try genres.all(in: context).map { name, tracks, price, length in
                [
                    .text(name), .number(tracks), price.map { .money($0) } ?? .nothing,
                    length.map { .minutes(Int($0)) } ?? .nothing,
                ]
            })
    }
}
#endif
