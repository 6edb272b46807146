#if Macros
import Skiathos

extension Question {
    static let revenueByQuarter = Question(
        "revenue-by-quarter", "How did the revenue of each year and quarter develop?",
        statements: 1
    ) { context in
        let quarters = Invoice.grouped { ($0.date.year, ($0.date.month + 2) / 3) }
            .select { ($0.id.count, $0.total.sum, $0.total.average, $0.total.max) }
        return Table(
            "year", "quarter", "invoices", "revenue", "average", "largest",
            rows: try quarters.all(in: context).map { quarter, sales in
                let (count, revenue, average, largest) = sales
                return [
                    .number(quarter.0), .number(quarter.1), .number(count), .money(revenue),
                    average.map { .money($0) } ?? .nothing,
                    largest.map { .money($0) } ?? .nothing,
                ]
            })
    }
}
#endif
