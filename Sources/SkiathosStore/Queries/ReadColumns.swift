extension FetchRequest {
    /// The columns that decide the rows of the request and their order.
    ///
    /// It is `nil` if rows of other entities or queries also decide.
    public var readColumns: ColumnSet? {
        var columns = ColumnSet()
        let parts = order.map(\.expression).allSatisfy { $0.collectColumns(into: &columns) }
        guard parts, predicate?.collectColumns(into: &columns) != false else { return nil }
        return columns
    }
}

extension StoreExpression {
    /// Adds the columns that are read; `false` if other rows are read, too.
    fileprivate func collectColumns(into columns: inout ColumnSet) -> Bool {
        switch self {
        case .value: return true
        case .column(let column):
            columns.insert(column)
            return true
        case .arithmetic(_, let left, let right, _), .coalesce(let left, let right):
            return left.collectColumns(into: &columns) && right.collectColumns(into: &columns)
        case .call(_, let arguments):
            return arguments.allSatisfy { $0.collectColumns(into: &columns) }
        case .choose(let condition, let first, let second):
            return condition.collectColumns(into: &columns)
                && first.collectColumns(into: &columns) && second.collectColumns(into: &columns)
        case .through, .related, .aggregate, .window, .subquery, .outer: return false
        }
    }
}

extension StorePredicate {
    /// Adds the columns that are read; `false` if other rows are read, too.
    fileprivate func collectColumns(into columns: inout ColumnSet) -> Bool {
        switch self {
        case .constant: return true
        case .comparison(let left, _, let right), .match(let left, _, let right):
            return left.collectColumns(into: &columns) && right.collectColumns(into: &columns)
        case .contained(let expression, _): return expression.collectColumns(into: &columns)
        case .all(let parts), .any(let parts):
            return parts.allSatisfy { $0.collectColumns(into: &columns) }
        case .not(let part): return part.collectColumns(into: &columns)
        // The words of any searchable column, or other rows.
        case .containedIn, .through, .related, .descent, .among, .outer, .search: return false
        }
    }
}
