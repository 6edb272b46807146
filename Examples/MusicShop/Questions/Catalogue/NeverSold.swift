#if Macros
import Skiathos

extension Question {
    static let neverSold = Question(
        "never-sold", "How many tracks of each genre were never sold?", statements: 1
    ) { context in
        let genres = Track.where { $0.invoiceLines.isEmpty }
            .grouped { $0.genre.name ?? "none" }
            .order { $0.id.count.descending }
            .select { ($0.id.count, $0.unitPrice.sum) }
        return Table(
            "genre", "tracks", "worth",
            rows: try genres.all(in: context).map { genre, tracks in
                [.text(genre), .number(tracks.0), .money(tracks.1)]
            })
    }
}
#endif
