#if Macros
import Skiathos

extension Question {
    static let eclecticCustomers = Question(
        "eclectic-customers", "Who has bought tracks of more than ten genres?", statements: 1
    ) { context in
        let customers = InvoiceLine.grouped {
            (
                $0.invoice.customer,
                $0.invoice.customer.firstName + " " + $0.invoice.customer.lastName
            )
        }
        .having { $0.track.genre.distinctCount > 10 }
        .order { $0.track.genre.distinctCount.descending }
        .select { ($0.track.genre.distinctCount, $0.quantity.sum) }
        return Table(
            "customer", "genres", "tracks",
            rows: try customers.all(in: context).map { customer, bought in
                [.text(customer.1), .number(bought.0), .number(bought.1)]
            })
    }
}
#endif
