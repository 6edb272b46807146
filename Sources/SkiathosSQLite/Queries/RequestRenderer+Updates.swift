import SkiathosStore

extension RequestRenderer {
    /// Changes the rows by what is computed from other rows, or chosen by them.
    ///
    /// SQLite changes one row after the other, and a subquery sees those that were changed before; up to
    /// 3.40 at least, also one in the condition. All rows are therefore found and all values computed
    /// before the first change (sqlite.org/lang_update.html, section 2.2).
    func updateFromSelection(
        _ request: FetchRequest, _ assignments: [StoreAssignment]
    ) throws -> SQLText {
        let entitySQL = entities[request.entity]
        let (values, key) = ("\"skiathos_values\"", "\"skiathos_id\"")
        var text = SQLText("UPDATE \(entitySQL.table) SET ")
        text.append(
            assignments.enumerated().map { number, assignment in
                "\(entitySQL.columns[assignment.column]) = \(values).\(Self.name(number))"
            }.joined(separator: ", "))
        text.append(" FROM (SELECT \(entitySQL.columns[0]) AS \(key)")
        for (number, assignment) in assignments.enumerated() {
            text.append(", ")
            try appendValue(of: assignment, request.entity, to: &text)
            text.append(" AS \(Self.name(number))")
        }
        text.append(" FROM \(entitySQL.table)")
        try appendCondition(request, to: &text)
        try appendOrder(request, to: &text)
        appendWindow(request, to: &text)
        let id = "\(entitySQL.table).\(entitySQL.columns[0])"
        text.append(") AS \(values) WHERE \(id) = \(values).\(key)")
        return text
    }

    private static func name(_ number: Int) -> String { "\"skiathos_value_\(number)\"" }
}

extension StoreAssignment {
    /// Whether the new value is computed from other rows than the one that is changed.
    var readsOtherRows: Bool {
        guard case .set(let expression) = operation else { return false }
        return expression.readsOtherRows
    }
}

extension StoreExpression {
    fileprivate var readsOtherRows: Bool { StorePart.expression(self).readsOtherRows }
}

extension StorePredicate {
    /// Whether it is decided by other rows than the one that it is about.
    var readsOtherRows: Bool { StorePart.predicate(self).readsOtherRows }
}

extension StorePart {
    fileprivate var readsOtherRows: Bool {
        switch self {
        case .expression(.through), .expression(.related), .expression(.subquery),
            .expression(.window), .expression(.outer):
            return true
        case .predicate(.through), .predicate(.related), .predicate(.descent), .predicate(.among),
            .predicate(.containedIn), .predicate(.outer):
            return true
        case .expression, .predicate:
            var found = false
            forEachPart { part, _ in found = found || part.readsOtherRows }
            return found
        }
    }
}
