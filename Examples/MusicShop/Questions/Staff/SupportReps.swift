#if Macros
import Skiathos

extension Question {
    static let supportReps = Question(
        "support-reps", "Whom does each employee support, and what do they buy?", statements: 1
    ) { context in
        let employees = Employee.where { $0.customers.exists() }
            .order { $0.customers.sum { $0.invoices.sum { $0.total } }.descending }
            .select {
                (
                    $0.firstName + " " + $0.lastName, $0.customers.count,
                    $0.customers.sum { $0.invoices.count },
                    $0.customers.sum { $0.invoices.sum { $0.total } }
                )
            }
        return Table(
            "employee", "customers", "invoices", "revenue",
            rows: try employees.all(in: context).map { name, customers, invoices, revenue in
                [.text(name), .number(customers), .number(invoices), .money(revenue)]
            })
    }
}
#endif
