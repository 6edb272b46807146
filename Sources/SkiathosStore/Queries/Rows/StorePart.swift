/// A part of an expression or of a condition.
package enum StorePart {
    case expression(StoreExpression)
    case predicate(StorePredicate)
}

extension StoreExpression {
    /// Calls a closure with each part, and with the number of rows that the part has around it beside
    /// those of the expression itself: 0 or 1.
    package func forEachPart(_ body: (_ part: StorePart, _ rows: Int) -> Void) {
        switch self {
        case .column, .value: break
        case .arithmetic(_, let left, let right, _), .coalesce(let left, let right):
            body(.expression(left), 0)
            body(.expression(right), 0)
        case .call(_, let arguments):
            for argument in arguments { body(.expression(argument), 0) }
        case .choose(let condition, let first, let second):
            body(.predicate(condition), 0)
            body(.expression(first), 0)
            body(.expression(second), 0)
        case .through(_, let inner), .outer(_, let inner): body(.expression(inner), 1)
        case .related(_, let aggregate, let condition):
            if let argument = aggregate.argument { body(.expression(argument), 1) }
            if let condition { body(.predicate(condition), 1) }
        case .aggregate(let aggregate):
            if let argument = aggregate.argument { body(.expression(argument), 0) }
        case .window(let window): for part in window.parts { body(.expression(part), 0) }
        case .subquery(let query):
            if let argument = query.aggregate.argument { body(.expression(argument), 1) }
            if let condition = query.condition { body(.predicate(condition), 1) }
        }
    }
}

extension StorePredicate {
    /// Calls a closure with each part, and with the number of rows that the part has around it beside
    /// those of the condition itself: 0 or 1.
    package func forEachPart(_ body: (_ part: StorePart, _ rows: Int) -> Void) {
        switch self {
        case .constant, .descent, .search: break
        case .comparison(let left, _, let right), .match(let left, _, let right):
            body(.expression(left), 0)
            body(.expression(right), 0)
        case .contained(let expression, _): body(.expression(expression), 0)
        case .containedIn(let expression, let selection):
            body(.expression(expression), 0)
            body(.expression(selection.result), 1)
            selection.rows.forEachPart(body)
        case .through(_, let condition), .outer(_, let condition): body(.predicate(condition), 1)
        case .related(_, let condition): if let condition { body(.predicate(condition), 1) }
        case .among(let rows): rows.forEachPart(body)
        case .all(let parts), .any(let parts): for part in parts { body(.predicate(part), 0) }
        case .not(let part): body(.predicate(part), 0)
        }
    }
}

extension StoreRows {
    fileprivate func forEachPart(_ body: (_ part: StorePart, _ rows: Int) -> Void) {
        if let condition { body(.predicate(condition), 1) }
        for key in order { body(.expression(key.expression), 1) }
    }
}

extension StorePart {
    /// Calls a closure with each part.
    package func forEachPart(_ body: (_ part: StorePart, _ rows: Int) -> Void) {
        switch self {
        case .expression(let expression): expression.forEachPart(body)
        case .predicate(let predicate): predicate.forEachPart(body)
        }
    }

    /// Calls a closure with each reference to an outer row at any depth, with what is asked of that row,
    /// and with the number of rows between the reference and this part.
    package func forEachOuter(
        depth: Int = 0, _ body: (_ row: OuterRow, _ asked: StorePart, _ depth: Int) -> Void
    ) {
        switch self {
        case .expression(.outer(let row, let asked)): body(row, .expression(asked), depth)
        case .predicate(.outer(let row, let asked)): body(row, .predicate(asked), depth)
        case .expression, .predicate: break
        }
        forEachPart { $0.forEachOuter(depth: depth + $1, body) }
    }

    /// Whether it is about a row that stands around its own one.
    var isOuter: Bool {
        switch self {
        case .expression(.outer), .predicate(.outer): true
        case .expression, .predicate: false
        }
    }

    /// Whether a query inside of it refers to its own row.
    var isUsedInside: Bool {
        var found = false
        forEachOuter { row, _, depth in found = found || row == .distance(depth) }
        return found
    }

    /// Whether it is decided by rows that stand around its own one.
    package var readsOuterRows: Bool {
        var found = false
        forEachOuter { row, _, depth in
            if case .distance(let distance) = row { found = found || distance > depth }
        }
        return found
    }

    /// How many rows stand inside of its own one, one in the other.
    package var nesting: Int {
        var most = 0
        forEachPart { part, rows in most = max(most, rows + part.nesting) }
        return most
    }

    /// Whether it has a part that is about its own row, also one that stands in further rows.
    var isAboutOwnRow: Bool {
        switch self {
        case .expression(.column), .expression(.through), .expression(.related): return true
        case .predicate(.through), .predicate(.related), .predicate(.descent), .predicate(.among),
            .predicate(.search):
            return true
        default:
            var found = isUsedInside
            forEachPart { part, rows in if rows == 0 { found = found || part.isAboutOwnRow } }
            return found
        }
    }
}
