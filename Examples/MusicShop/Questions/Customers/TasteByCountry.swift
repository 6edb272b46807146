#if Macros
import Skiathos

extension Question {
    static let tasteByCountry = Question(
        "taste-by-country", "Which genre does each country buy most?", statements: 1
    ) { context in
        let genres = InvoiceLine.grouped {
            ($0.invoice.customer.country, $0.track.genre.name ?? "none")
        }
        .order { $0.quantity.sum.descending }
        .select { $0.quantity.sum }
        let favourites = Dictionary(
            try genres.all(in: context).map { ($0.key.0, (genre: $0.key.1, tracks: $0.value)) },
            uniquingKeysWith: { first, _ in first })
        return Table(
            "country", "genre", "tracks",
            rows: favourites.sorted { $0.key < $1.key }.map { country, favourite in
                [.text(country), .text(favourite.genre), .number(favourite.tracks)]
            })
    }
}
#endif
