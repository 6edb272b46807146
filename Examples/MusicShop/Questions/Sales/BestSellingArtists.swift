#if Macros
import Foundation
import Skiathos

extension Question {
    static let bestSellingArtists = Question(
        "best-selling-artists", "Which artists have sold at least 30 tracks?", statements: 1
    ) { context in
        let artists = InvoiceLine.grouped { ($0.track.album.artist, $0.track.album.artist.name) }
            .having { $0.quantity.sum >= 30 }
            .order { ($0.unitPrice * $0.quantity.asDecimal).sum.descending }
            .select {
                (
                    $0.track.distinctCount, $0.quantity.sum,
                    ($0.unitPrice * $0.quantity.asDecimal).sum
                )
            }
        return Table(
            "artist", "different tracks", "sold", "revenue",
            rows: try artists.all(in: context).map { artist, sales in
                [.text(artist.1), .number(sales.0), .number(sales.1), .money(sales.2)]
            })
    }
}
#endif
