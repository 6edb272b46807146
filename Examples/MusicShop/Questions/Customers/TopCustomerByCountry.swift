#if Macros
import Skiathos

extension Question {
    /// The groups come with the best customers first, so the first of each country is the one.
    static let topCustomerByCountry = Question(
        "top-customer-by-country", "Who has spent the most in each country?", statements: 1
    ) { context in
        let customers = Invoice.grouped {
            ($0.customer.country, $0.customer, $0.customer.firstName + " " + $0.customer.lastName)
        }
        .order { $0.total.sum.descending }
        .select { $0.total.sum }
        let best = Dictionary(
            try customers.all(in: context).map { ($0.key.0, (name: $0.key.2, spent: $0.value)) },
            uniquingKeysWith: { first, _ in first })
        return Table(
            "country", "customer", "spent",
            rows: best.sorted { $0.key < $1.key }.map { country, customer in
                [.text(country), .text(customer.name), .money(customer.spent)]
            })
    }
}
#endif
