#if Macros
import Skiathos

extension Question {
    static let lengths = Question(
        "lengths", "How many tracks are short, and how many are long?", statements: 1
    ) { context in
        let lengths = Track.grouped {
            ($0.milliseconds < 180_000).then(
                "under 3 minutes",
                else: ($0.milliseconds < 360_000).then(
                    "under 6 minutes",
                    else: ($0.milliseconds < 900_000).then("under 15 minutes", else: "longer")))
        }
        .order { $0.milliseconds.max.ascending }
        .select { ($0.id.count, $0.unitPrice.average, $0.milliseconds.sum) }
        return Table(
            "length", "tracks", "average price", "hours",
            rows: try lengths.all(in: context).map { length, tracks in
                let (count, price, milliseconds) = tracks
                return [
                    .text(length), .number(count), price.map { .money($0) } ?? .nothing,
                    .hours(milliseconds),
                ]
            })
    }
}
#endif
