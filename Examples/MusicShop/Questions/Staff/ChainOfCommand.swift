#if Macros
import Skiathos

extension Question {
    /// One statement for the top and one for each level, the last of which finds no employee.
    static let chainOfCommand = Question(
        "chain-of-command", "Who leads whom?", statements: 4
    ) { context in
        let heads = Employee.where { $0.reportsTo == nil }.order { $0.lastName.ascending }
        return Table(
            "employee", "title",
            rows: try heads.all(in: context).flatMap { try lines(of: $0, indent: "", context) })
    }

    private static func lines(
        of employee: Employee, indent: String, _ context: ReadContext
    ) throws -> [[Cell]] {
        let line: [Cell] = [.text(indent + employee.name), .text(employee.title)]
        let team = try employee.reports.order { $0.lastName.ascending }.all(in: context)
        return try team.reduce(into: [line]) {
            $0 += try lines(of: $1, indent: indent + "  ", context)
        }
    }
}
#endif
