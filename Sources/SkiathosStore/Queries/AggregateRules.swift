/// The rules of aggregates: where a request may use values of several rows, and where values
/// of one row.
///
/// An expression about a row contains no aggregate at any depth. An expression about a group
/// consists of the group's keys, aggregates of row expressions, and constants. Anything else
/// may differ within a group, and a database would take it from any of the rows.
package enum AggregateRules {
    /// Whether an expression can be computed from one row.
    ///
    /// - Parameter windows: Whether the place of the row among others counts as its own, which holds
    ///   for results and their sort keys. What a window looks at is computed before.
    package static func isAboutRow(
        _ expression: StoreExpression, windows: Bool = false
    ) -> Bool {
        switch expression {
        case .column, .value: true
        case .arithmetic(_, let left, let right, _), .coalesce(let left, let right):
            isAboutRow(left, windows: windows) && isAboutRow(right, windows: windows)
        case .call(_, let arguments): arguments.allSatisfy { isAboutRow($0, windows: windows) }
        case .choose(let condition, let first, let second):
            isAboutRow(condition) && isAboutRow(first, windows: windows)
                && isAboutRow(second, windows: windows)
        case .through(_, let inner), .outer(_, let inner): isAboutRow(inner)
        case .related(_, let aggregate, let condition):
            (aggregate.argument.map { isAboutRow($0) } ?? true)
                && (condition.map { isAboutRow($0) } ?? true)
        case .window(let window): windows && window.parts.allSatisfy { isAboutRow($0) }
        case .subquery(let query): isComputable(query)
        case .aggregate: false
        }
    }

    /// Whether a subquery aggregates what is about its rows.
    private static func isComputable(_ query: StoreSubquery) -> Bool {
        (query.aggregate.argument.map { isAboutRow($0) } ?? true)
            && (query.condition.map { isAboutRow($0) } ?? true)
    }

    /// Whether a condition can be decided about one row.
    package static func isAboutRow(_ predicate: StorePredicate) -> Bool {
        switch predicate {
        case .constant, .search, .descent: true
        case .comparison(let left, _, let right), .match(let left, _, let right):
            isAboutRow(left) && isAboutRow(right)
        case .contained(let expression, _): isAboutRow(expression)
        case .containedIn(let expression, let selection):
            isAboutRow(expression) && isAboutRow(selection.result) && selection.rows.isAboutRows
        case .through(_, let condition), .outer(_, let condition), .not(let condition):
            isAboutRow(condition)
        case .related(_, let condition): condition.map { isAboutRow($0) } ?? true
        case .among(let rows): rows.isAboutRows
        case .all(let parts), .any(let parts): parts.allSatisfy { isAboutRow($0) }
        }
    }

    /// Whether an expression is the same for all rows of a group with these keys.
    ///
    /// - Parameter windows: Whether the place of the group among others counts as its own.
    package static func isAboutGroup(
        _ expression: StoreExpression, _ keys: [StoreExpression], windows: Bool = false
    ) -> Bool {
        if keys.contains(expression) { return true }
        func isKnown(_ part: StoreExpression) -> Bool {
            isAboutGroup(part, keys, windows: windows)
        }
        return switch expression {
        case .value: true
        case .column, .through, .related: hasOneRow(keys) && isAboutRow(expression)
        case .aggregate(let aggregate): aggregate.argument.map { isAboutRow($0) } ?? true
        case .window(let window):
            windows && window.parts.allSatisfy { isAboutGroup($0, keys) }
        case .subquery(let query):
            isComputable(query) && comparesWithGroup(.expression(expression), keys)
        // A group stands in no other row.
        case .outer: false
        case .arithmetic(_, let left, let right, _), .coalesce(let left, let right):
            isKnown(left) && isKnown(right)
        case .call(_, let arguments): arguments.allSatisfy(isKnown)
        case .choose(let condition, let first, let second):
            isAboutGroup(condition, keys) && isKnown(first) && isKnown(second)
        }
    }

    /// Whether a condition has the same outcome for all rows of a group with these keys.
    ///
    /// - Parameter path: The references that lead to the rows that the condition is about.
    package static func isAboutGroup(
        _ predicate: StorePredicate, _ keys: [StoreExpression], along path: [Int] = []
    ) -> Bool {
        func isKnown(_ expression: StoreExpression) -> Bool {
            // A comparison with a constant is moved to the row that references lead to.
            if case .value = expression { return true }
            return isAboutGroup(path.reversed().reduce(expression) { .through($1, $0) }, keys)
        }
        return switch predicate {
        case .constant: true
        case .comparison(let left, _, let right), .match(let left, _, let right):
            isKnown(left) && isKnown(right)
        case .contained(let expression, _): isKnown(expression)
        case .containedIn(let expression, _):
            isKnown(expression) && isAboutRow(predicate)
                && comparesWithGroup(.predicate(predicate), keys)
        case .through(let reference, let condition):
            isAboutGroup(condition, keys, along: path + [reference])
        case .related, .descent, .among, .outer, .search: hasOneRow(keys) && isAboutRow(predicate)
        case .all(let parts), .any(let parts):
            parts.allSatisfy { isAboutGroup($0, keys, along: path) }
        case .not(let part): isAboutGroup(part, keys, along: path)
        }
    }

    /// Whether everything that a query inside of a part asks of the group is the same for all of its rows.
    private static func comparesWithGroup(
        _ part: StorePart, _ keys: [StoreExpression]
    ) -> Bool {
        var isKnown = true
        part.forEachOuter { row, asked, depth in
            guard row == .distance(depth) else { return }
            switch asked {
            case .expression(let expression): isKnown = isKnown && isAboutGroup(expression, keys)
            case .predicate(let predicate): isKnown = isKnown && isAboutGroup(predicate, keys)
            }
        }
        return isKnown
    }

    private static func hasOneRow(_ keys: [StoreExpression]) -> Bool { keys.contains(.column(0)) }
}

extension FetchRequest {
    /// Refuses values of several rows where the request is about one.
    ///
    /// - Throws: ``StoreError`` with code `invalidRequest`.
    public func checkAggregates(in schema: StoreSchema) throws {
        try checkCondition(in: schema)
        guard order.allSatisfy({ AggregateRules.isAboutRow($0.expression) }) else {
            throw misplaced(
                in: schema, "A sort key of",
                "Sort the groups of a grouping by it, or sort by columns.")
        }
    }

    fileprivate func checkCondition(in schema: StoreSchema) throws {
        guard predicate.map({ AggregateRules.isAboutRow($0) }) ?? true else {
            throw misplaced(
                in: schema, "A condition on the rows of",
                "Use it in having, which chooses among groups.")
        }
    }

    /// The error for a value of several rows in a place where there is one row.
    fileprivate func misplaced(
        in schema: StoreSchema, _ place: String, _ advice: String
    ) -> StoreError {
        let entity = schema.entities[entity]
        return StoreError(
            .invalidRequest,
            "\(place) \(entity.typeName) uses a value of several rows, such as a sum, where there is one row. \(advice)",
            entity: entity.table)
    }
}

extension ProjectionRequest {
    /// Refuses aggregates in row expressions, and row values in group expressions.
    ///
    /// - Throws: ``StoreError`` with code `invalidRequest`.
    public func checkAggregates(in schema: StoreSchema) throws {
        try rows.checkCondition(in: schema)
        guard groups.allSatisfy({ AggregateRules.isAboutRow($0) }) else {
            throw rows.misplaced(
                in: schema, "A key of a grouping of", "Group by what is computed from a row.")
        }
        guard isAggregated else {
            let sortKeys = rows.order.map(\.expression)
            guard (results + sortKeys).allSatisfy({ AggregateRules.isAboutRow($0, windows: true) })
            else {
                throw rows.misplaced(
                    in: schema, "A selection of",
                    "Aggregates of aggregates are not computed; group the rows first.")
            }
            return
        }
        guard results.allSatisfy({ AggregateRules.isAboutGroup($0, groups, windows: true) }) else {
            throw differing(in: schema, "selects", "Select")
        }
        guard having.map({ AggregateRules.isAboutGroup($0, groups) }) ?? true else {
            throw differing(in: schema, "has a condition on", "Compare")
        }
        guard
            rows.order.allSatisfy({
                AggregateRules.isAboutGroup($0.expression, groups, windows: true)
            })
        else {
            throw differing(in: schema, "sorts by", "Sort by")
        }
    }

    /// The error for a value of one row in a place where there are several.
    private func differing(
        in schema: StoreSchema, _ use: String, _ advice: String
    ) -> StoreError {
        let entity = schema.entities[rows.entity]
        let (what, keys) =
            groups.isEmpty
            ? ("A query of \(entity.typeName) with aggregates", "or group the rows by it")
            : ("A grouping of \(entity.typeName)", "or add it to the keys")
        return StoreError(
            .invalidRequest,
            "\(what) \(use) what may differ from row to row. \(advice) keys and aggregates such as sum or max alone, \(keys).",
            entity: entity.table)
    }
}

extension StoreAssignment {
    /// Refuses aggregates, since an assignment is computed from its own row.
    ///
    /// - Throws: ``StoreError`` with code `invalidRequest`.
    public func checkAggregates(of rows: FetchRequest, in schema: StoreSchema) throws {
        guard case .set(let expression) = operation, !AggregateRules.isAboutRow(expression) else {
            return
        }
        throw rows.misplaced(
            in: schema, "A change of the rows of",
            "Compute it by a query first, or from the rows of a relation.")
    }
}
