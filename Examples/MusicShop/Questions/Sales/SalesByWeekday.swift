#if Macros
import Skiathos

extension Question {
    static let salesByWeekday = Question(
        "sales-by-weekday", "On which days of the week is bought?", statements: 1
    ) { context in
        let names = [
            "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
        ]
        let days = Invoice.grouped { $0.date.weekday }.select { ($0.id.count, $0.total.sum) }
        return Table(
            "day", "invoices", "revenue",
            rows: try days.all(in: context).map { day, sales in
                [.text(names[day - 1]), .number(sales.0), .money(sales.1)]
            })
    }
}
#endif
