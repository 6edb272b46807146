#if Macros
import Skiathos

extension Question {
    static let topCustomers = Question(
        "top-customers", "Who has spent the most?", statements: 1
    ) { context in
        let customers = Customer.order { $0.invoices.sum { $0.total }.descending }.limit(10)
            .select {
                (
                    $0.firstName + " " + $0.lastName, $0.country, $0.invoices.count,
                    $0.invoices.sum { $0.total }
                )
            }
        return Table(
            "customer", "country", "invoices", "spent",
            rows: try customers.all(in: context).map { name, country, count, spent in
                [.text(name), .text(country), .number(count), .money(spent)]
            })
    }
}
#endif
