#if Macros
import Foundation
import Skiathos

extension Question {
    static let quietCustomers = Question(
        "quiet-customers", "Who has bought nothing since July 2025?", statements: 1
    ) { context in
        let july = try Date("2025-07-01T00:00:00Z", strategy: .iso8601)
        let customers = Customer.where { !$0.invoices.exists { $0.date >= july } }
            .order { $0.invoices.max { $0.date }.ascending }
            .select { ($0.firstName + " " + $0.lastName, $0.email, $0.invoices.max { $0.date }) }
        return Table(
            "customer", "email", "last invoice",
            rows: try customers.all(in: context).map { name, email, date in
                [.text(name), .text(email), date.map { .date($0) } ?? .nothing]
            })
    }
}
#endif
