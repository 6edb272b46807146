#if Macros
import Skiathos

extension Question {
    static let seniority = Question(
        "seniority", "Who was hired before the own manager?", statements: 1
    ) { context in
        let employees = Employee.where {
            $0.hireDate.optional < $0.reportsTo.hireDate
        }
        .order { $0.hireDate.ascending }
        .select {
            (
                $0.firstName + " " + $0.lastName, $0.hireDate, $0.reportsTo.lastName ?? "-",
                $0.reportsTo.hireDate
            )
        }
        return Table(
            "employee", "hired", "manager", "manager hired",
            rows: try employees.all(in: context).map { name, date, manager, later in
                [
                    .text(name), .date(date), .text(manager),
                    later.map { .date($0) } ?? .nothing,
                ]
            })
    }
}
#endif
