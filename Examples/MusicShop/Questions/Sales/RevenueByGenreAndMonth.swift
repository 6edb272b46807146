#if Macros
import Foundation
import Skiathos

extension Question {
    static let revenueByGenreAndMonth = Question(
        "revenue-by-genre-and-month", "What did each genre bring in each month of 2025?",
        statements: 1
    ) { context in
        let sales = InvoiceLine.where { $0.invoice.date.year == 2025 }
            .grouped { ($0.track.genre.name ?? "none", $0.invoice.date.month) }
            .select { ($0.unitPrice * $0.quantity.asDecimal).sum }
        var revenue: [String: [Int: Decimal]] = [:]
        for (key, amount) in try sales.all(in: context) {
            revenue[key.0, default: [:]][key.1] = amount
        }
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        let rows = revenue.sorted { $0.key < $1.key }.map { genre, amounts -> [Cell] in
            let cells = (1...12).map { month in
                amounts[month].map { Cell.money($0) } ?? .nothing
            }
            return [.text(genre)] + cells + [.money(amounts.values.reduce(0, +))]
        }
        return Table(columns: ["genre"] + months + ["2025"], rows: rows)
    }
}
#endif
