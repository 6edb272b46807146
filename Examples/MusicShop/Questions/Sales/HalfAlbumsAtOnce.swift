#if Macros
import Foundation
import Skiathos

extension Question {
    static let halfAlbumsAtOnce = Question(
        "half-albums-at-once",
        "Who has bought at least half of an album of several tracks at once?", statements: 1
    ) { context in
        let albums = InvoiceLine.grouped {
            (
                $0.invoice, $0.track.album, $0.track.album.title,
                $0.invoice.customer.firstName + " " + $0.invoice.customer.lastName,
                $0.track.album.tracks.count
            )
        }
        .having {
            $0.track.album.tracks.count > 1
                && $0.track.distinctCount * 2 >= $0.track.album.tracks.count
        }
        .order { $0.track.distinctCount.descending }
        .select { ($0.track.distinctCount, ($0.unitPrice * $0.quantity.asDecimal).sum) }
        return Table(
            "invoice", "customer", "album", "bought", "of", "paid",
            rows: try albums.all(in: context).map { key, value in
                let (invoice, _, title, customer, tracks) = key
                let (bought, paid) = value
                return [
                    .number(Int(invoice.rawValue)), .text(customer), .text(title),
                    .number(bought), .number(tracks), .money(paid),
                ]
            })
    }
}
#endif
