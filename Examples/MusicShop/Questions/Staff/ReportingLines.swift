#if Macros
import Skiathos

extension Question {
    static let reportingLines = Question(
        "reporting-lines", "To whom does everybody report, and that one?", statements: 1
    ) { context in
        let employees = Employee.order { $0.lastName.ascending }
            .select {
                (
                    $0.firstName + " " + $0.lastName, $0.reportsTo.lastName ?? "-",
                    $0.reportsTo.reportsTo.lastName ?? "-", $0.reports.count
                )
            }
        return Table(
            "employee", "manager", "manager's manager", "team",
            rows: try employees.all(in: context).map { name, manager, above, team in
                [.text(name), .text(manager), .text(above), .number(team)]
            })
    }
}
#endif
