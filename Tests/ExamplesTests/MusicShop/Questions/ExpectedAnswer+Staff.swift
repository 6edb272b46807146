#if Macros
extension ExpectedAnswer {
    static let staff = [
        ExpectedAnswer(
            "support-reps",
            """
            SELECT employee.firstName || ' ' || employee.lastName, count(DISTINCT customer.id),
                count(*), \(money("sum(\(cents("total")))"))
            FROM employee JOIN customer ON customer.supportRep = employee.id
            JOIN invoice ON invoice.customer = customer.id
            GROUP BY employee.id ORDER BY sum(\(cents("total"))) DESC, employee.id
            """),
        ExpectedAnswer(
            "chain-of-command", statements: 4,
            """
            WITH RECURSIVE chain(id, name, title, indent, path) AS (
                SELECT id, firstName || ' ' || lastName, title, '', lastName FROM employee
                WHERE reportsTo IS NULL
                UNION ALL
                SELECT employee.id, firstName || ' ' || lastName, employee.title, indent || '  ',
                    path || '/' || lastName
                FROM employee JOIN chain ON employee.reportsTo = chain.id)
            SELECT indent || name, title FROM chain ORDER BY path
            """),
        ExpectedAnswer(
            "reporting-lines",
            """
            SELECT employee.firstName || ' ' || employee.lastName, coalesce(manager.lastName, '-'),
                coalesce(above.lastName, '-'),
                (SELECT count(*) FROM employee AS report WHERE report.reportsTo = employee.id)
            FROM employee LEFT JOIN employee AS manager ON manager.id = employee.reportsTo
            LEFT JOIN employee AS above ON above.id = manager.reportsTo ORDER BY employee.lastName
            """),
        ExpectedAnswer(
            "seniority",
            """
            SELECT employee.firstName || ' ' || employee.lastName, \(day("employee.hireDate")),
                manager.lastName, \(day("manager.hireDate"))
            FROM employee JOIN employee AS manager ON manager.id = employee.reportsTo
            WHERE employee.hireDate < manager.hireDate ORDER BY employee.hireDate, employee.id
            """),
    ]
}
#endif
