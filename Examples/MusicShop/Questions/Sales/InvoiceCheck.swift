#if Macros
import Foundation
import Skiathos

extension Question {
    static let invoiceCheck = Question(
        "invoice-check", "Is the total of every invoice that of its lines?", statements: 1
    ) { context in
        let (all, right) = try Invoice.query.aggregate(
            { invoice in
                let isRight =
                    invoice.total == invoice.lines.sum { $0.unitPrice * $0.quantity.asDecimal }
                return (invoice.id.count, isRight.then(1, else: 0).sum)
            }, in: context)
        return Table(
            "invoices", "right", "wrong",
            rows: [[.number(all), .number(right), .number(all - right)]])
    }
}
#endif
