import SkiathosStore

/// A condition on rows that must hold before a table can get its final form.
///
/// Reports contain numbers of rows, never their values.
enum SchemaCondition: Sendable {
    /// No two rows have the same values in these columns.
    case unique(table: String, columns: [String])
    /// Every row has a value in a column, which is found under a name of its own meanwhile.
    case filled(table: String, column: String, source: String)
    /// There are no rows, since a new column has no value for them.
    case unfilled(table: String, column: String)
    /// Every reference leads to a row.
    case dangling(table: String, TableLayout.Reference)

    /// The query that counts the violations, by the current names of tables and columns.
    ///
    /// It is `nil` if there can be none yet.
    ///
    /// - Parameters:
    ///   - table: Returns the name of a table; `nil` if it does not exist.
    ///   - column: Returns the name of a column of a table; `nil` if it does not exist.
    func violations(
        table: (String) -> String?, column: (String, String) -> String?
    ) -> String? {
        switch self {
        case .unique(let name, let columns):
            let names = columns.compactMap { column(name, $0) }
            guard let from = table(name), names.count == columns.count else { return nil }
            let quoted = names.map(SQLText.quote)
            let present = quoted.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
            let group = quoted.joined(separator: ", ")
            return """
                SELECT count(*) FROM (SELECT 1 FROM \(SQLText.quote(from)) WHERE \(present) \
                GROUP BY \(group) HAVING count(*) > 1)
                """
        case .filled(let name, _, let source):
            guard let from = table(name), let source = column(name, source) else { return nil }
            return
                "SELECT count(*) FROM \(SQLText.quote(from)) WHERE \(SQLText.quote(source)) IS NULL"
        case .unfilled(let name, _):
            return table(name).map { "SELECT count(*) FROM \(SQLText.quote($0))" }
        case .dangling(let name, let reference):
            return danglingQuery(name, reference, table, column)
        }
    }

    private func danglingQuery(
        _ name: String, _ reference: TableLayout.Reference, _ table: (String) -> String?,
        _ column: (String, String) -> String?
    ) -> String? {
        guard let from = table(name).map(SQLText.quote) else { return nil }
        guard let referring = column(name, reference.column).map(SQLText.quote) else {
            // A new column refers to nothing in any row.
            return "SELECT count(*) FROM \(from)"
        }
        let count = "SELECT count(*) FROM \(from) AS a WHERE a.\(referring) IS NOT NULL"
        guard let target = table(reference.target),
            let key = column(reference.target, reference.targetColumn)
        else { return count }
        return """
            \(count) AND NOT EXISTS (SELECT 1 FROM \(SQLText.quote(target)) AS b \
            WHERE b.\(SQLText.quote(key)) = a.\(referring))
            """
    }

    /// A description of the violations.
    func description(of count: Int) -> String {
        switch self {
        case .unique(let table, let columns):
            "\(SQLText.quote(table)) has \(count) values of \(SchemaChange.list(columns)) that more than one row has, so they cannot become unique. Let a step change or delete such rows."
        case .filled(let table, let column, let source):
            source == column
                ? "\(count) rows of \(SQLText.quote(table)) have no \(SQLText.quote(column)), which is required now. Let a step fill it, or make the property optional."
                : "\(count) rows of \(SQLText.quote(table)) were given no new \(SQLText.quote(column)). Let the step that converts it give one to every row."
        case .unfilled(let table, let column):
            "\(count) rows of \(SQLText.quote(table)) would have no \(SQLText.quote(column)), which is required and has no default. Make the property optional, or give it a default."
        case .dangling(let table, let reference):
            "\(count) rows of \(SQLText.quote(table)) would refer through \(SQLText.quote(reference.column)) to rows of \(SQLText.quote(reference.target)) that are not there. Let a step correct them, or make the property optional."
        }
    }

    /// Whether no step can help.
    var isFinal: Bool {
        if case .unfilled = self { true } else { false }
    }
}
