import SkiathosStore

/// SQL has three truth values and Swift two. A comparison without a value yields SQL's third one,
/// which `WHERE`, `AND` and `OR` treat as false in the end; only its negation would differ, so that
/// is written `IS NOT TRUE`.
extension RowRenderer {
    /// Appends a condition, in parentheses where it has parts.
    mutating func append(_ predicate: StorePredicate) throws {
        switch predicate {
        case .constant(let value): text.append(value ? "TRUE" : "FALSE")
        case .comparison(let left, let comparison, let right):
            try append(left, comparison, right)
        case .contained(let expression, let values): try append(expression, isOneOf: values)
        case .containedIn(let expression, let selection):
            try append(expression, isIn: selection)
        case .match(let expression, let match, let pattern):
            try append(expression, match, pattern)
        case .through(let reference, let condition): try appendThrough(reference, condition)
        case .related(let relation, let condition): try appendExists(relation, condition)
        case .descent(let reference, let direction, let ids):
            try appendDescent(reference, direction, of: ids)
        case .among(let rows): try append(rows)
        case .outer(let row, let condition):
            try withOuterRow(row, for: .predicate(condition)) { try $0.append(condition) }
        case .search(let terms): try append(terms)
        case .all(let parts): try append(parts, isAll: true)
        case .any(let parts): try append(parts, isAll: false)
        case .not(let part):
            text.append("(")
            try append(part)
            text.append(" IS NOT TRUE)")
        }
    }

    private mutating func append(
        _ left: StoreExpression, _ comparison: StorePredicate.Comparison, _ right: StoreExpression
    ) throws {
        text.append("(")
        // Equality is by the same order as all else, so that one index serves them.
        try appendCollated(left)
        // A plain operator is enough where a missing value makes the outcome false anyway.
        let bothMayBeNull = mayBeNull(left) && mayBeNull(right)
        let oneMayBeNull = mayBeNull(left) || mayBeNull(right)
        switch comparison {
        case .equal: text.append(bothMayBeNull ? " IS " : " = ")
        case .notEqual: text.append(oneMayBeNull ? " IS NOT " : " <> ")
        case .less: text.append(" < ")
        case .lessOrEqual: text.append(" <= ")
        case .greater: text.append(" > ")
        case .greaterOrEqual: text.append(" >= ")
        }
        try append(right)
        text.append(")")
    }

    private mutating func append(
        _ expression: StoreExpression, isOneOf values: [StoreValue]
    ) throws {
        var rendered = self
        rendered.text = SQLText()
        try rendered.appendCollated(expression)
        let list = ListRenderer(expression: rendered.text, storage: try storage(of: expression))
        try list.append(values, to: &text)
    }

    private mutating func append(
        _ expression: StoreExpression, _ match: StorePredicate.TextMatch,
        _ pattern: StoreExpression
    ) throws {
        guard case .value(.text(let value)) = pattern else {
            return try appendComputed(expression, match, pattern)
        }
        text.append("(")
        switch match {
        case _ where value.isEmpty:
            try append(expression)
            text.append(" IS NOT NULL")
        case .prefix: try append(expression, hasPrefix: value)
        case .suffix:
            // SQLite counts the characters of substr() as Unicode scalars.
            text.append("substr(")
            try append(expression)
            text.append(", \(-value.unicodeScalars.count)) = ")
            text.append(.text(value))
        case .contains: try append(expression, contains: pattern)
        }
        text.append(")")
    }

    private mutating func append(_ expression: StoreExpression, hasPrefix prefix: String) throws {
        try append(expression)
        text.append(" >= ")
        text.append(.text(prefix))
        guard let bound = PrefixRange.upperBound(of: prefix) else { return }
        text.append(" AND ")
        try append(expression)
        text.append(" < ")
        text.append(.text(bound))
    }

    private mutating func append(
        _ expression: StoreExpression, contains pattern: StoreExpression
    ) throws {
        text.append("instr(")
        try append(expression)
        text.append(", ")
        try append(pattern)
        text.append(") > 0")
    }

    /// A pattern that is computed from the row, too.
    private mutating func appendComputed(
        _ expression: StoreExpression, _ match: StorePredicate.TextMatch,
        _ pattern: StoreExpression
    ) throws {
        text.append("(")
        switch match {
        case .contains: try append(expression, contains: pattern)
        case .prefix, .suffix:
            text.append(match == .prefix ? TextFunctions.hasPrefix : TextFunctions.hasSuffix)
            text.append("(")
            try append(expression)
            text.append(", ")
            try append(pattern)
            text.append(")")
        }
        text.append(")")
    }

    private mutating func appendThrough(_ reference: Int, _ condition: StorePredicate) throws {
        let column = scope.column(reference)
        let comparesWithOuterRows = StorePart.predicate(condition).readsOuterRows
        try withScope(of: try target(ofReference: reference)) { renderer, outer in
            guard !comparesWithOuterRows else {
                // The row is looked up by its ID; a list would be made again for every row.
                renderer.text.append("(EXISTS (SELECT 1 FROM \(renderer.source)")
                let id = "\(renderer.scope.column(0)) = \(outer.outerColumn(reference))"
                try renderer.appendWhere(id, and: condition)
                return renderer.text.append("))")
            }
            // Not correlated: SQLite may begin with the few rows that meet the condition.
            renderer.text.append(
                "(\(column) IN (SELECT \(renderer.scope.column(0)) FROM \(renderer.source) WHERE ")
            try renderer.append(condition)
            renderer.text.append("))")
        }
    }

    private mutating func appendExists(
        _ relation: StoreRelation, _ condition: StorePredicate?
    ) throws {
        try withScope(of: try entity(of: relation)) { renderer, outer in
            renderer.text.append("(EXISTS (SELECT 1")
            try renderer.appendReferring(relation, to: outer, where: condition)
            renderer.text.append("))")
        }
    }

    /// A recursive query for the IDs (sqlite.org/lang_with.html); `UNION` drops what it has already,
    /// so that cycles end.
    private mutating func appendDescent(
        _ reference: Int, _ direction: StorePredicate.Descent, of ids: [StoreValue]
    ) throws {
        let outer = scope
        let entity = try target(ofReference: reference)
        guard entities[entity].entity.type == outer.entitySQL.entity.type else {
            throw StoreError(
                .invalidRequest,
                "A query asks for the descendants along \"\(outer.entitySQL.entity.table)\".\"\(column(reference).name)\", which refers to another entity.",
                entity: outer.entitySQL.entity.table, columns: [column(reference).name])
        }
        let list = ListRenderer(
            expression: SQLText(
                outer.entitySQL.columns[direction == .descendants ? reference : 0]),
            storage: column(0).storage)
        try withScope(of: entity) { renderer, _ in
            let (id, parent) = (renderer.scope.column(0), renderer.scope.column(reference))
            let (found, next, known) =
                direction == .descendants ? (id, id, parent) : (parent, parent, id)
            let tree = SQLText.quote("skiathos_tree")
            renderer.text.append("(\(outer.column(0)) IN (WITH RECURSIVE \(tree)(id) AS (")
            renderer.text.append("SELECT \(found) FROM \(renderer.source) WHERE ")
            try list.append(ids, to: &renderer.text)
            renderer.text.append(
                " UNION SELECT \(next) FROM \(tree) JOIN \(renderer.source) ON \(known) = \(tree).id"
            )
            renderer.text.append(") SELECT id FROM \(tree) WHERE id IS NOT NULL))")
        }
    }

    private mutating func append(_ terms: SearchTerms) throws {
        let index = try searchIndex()
        guard let pattern = SearchPattern.text(of: terms) else { return text.append("FALSE") }
        let entity = scope.entitySQL.entity
        let found = "SELECT rowid FROM \(index) WHERE \(index) MATCH "
        guard !entity.hasIntegerID else {
            text.append("(\(scope.column(0)) IN (\(found)")
            text.append(.text(pattern))
            return text.append("))")
        }
        let numbers = SQLText.quote(SearchIndex.numbers(of: entity.table))
        text.append(
            "(\(scope.column(0)) IN (SELECT \"id\" FROM \(numbers) WHERE \"number\" IN (\(found)")
        text.append(.text(pattern))
        text.append(")))")
    }

    /// The quoted name of the full-text index of the innermost rows.
    func searchIndex() throws -> String {
        let entity = scope.entitySQL.entity
        guard !entity.searchable.isEmpty else {
            throw StoreError(
                .invalidRequest,
                "\(entity.typeName) has no searchable column. Mark the ones to search in with @Searchable.",
                entity: entity.table)
        }
        return SQLText.quote(SearchIndex.name(of: entity.table))
    }
}
