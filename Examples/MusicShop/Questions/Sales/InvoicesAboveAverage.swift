#if Macros
import Foundation
import Skiathos

extension Question {
    /// The first statement finds the averages, from which the condition of the second is made.
    static let invoicesAboveAverage = Question(
        "invoices-above-average",
        "Which invoices are three times as high as usual in their country?",
        statements: 2
    ) { context in
        let averages = try Invoice.grouped { $0.billingCountry }.select { $0.total.average }
            .all(in: context)
        let isHigh = { (invoice: Invoice.Columns) in
            averages.reduce(Condition<Invoice>.never) { condition, average in
                guard let usual = average.value else { return condition }
                return condition
                    || (invoice.billingCountry == average.key && invoice.total > usual * 3)
            }
        }
        let invoices = Invoice.where(isHigh).order { $0.total.descending }
            .select {
                (
                    $0.id, $0.date, $0.billingCountry,
                    $0.customer.firstName + " " + $0.customer.lastName, $0.total
                )
            }
        return Table(
            "invoice", "date", "country", "customer", "total",
            rows: try invoices.all(in: context).map { id, date, country, customer, total in
                [
                    .number(Int(id.rawValue)), .date(date), .text(country), .text(customer),
                    .money(total),
                ]
            })
    }
}
#endif
