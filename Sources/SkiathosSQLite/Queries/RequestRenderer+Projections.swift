import SkiathosStore

extension RequestRenderer {
    /// The results that a request computes from rows.
    func project(_ request: ProjectionRequest) throws -> SQLText {
        try request.checkAggregates(in: schema)
        let rows = request.rows
        var text = SQLText(request.isDistinct ? "SELECT DISTINCT " : "SELECT ")
        let keys = request.distinguishing
        try append(request.results, rows.entity, keys, to: &text)
        text.append(" FROM \(entities[rows.entity].table)")
        try appendCondition(rows, to: &text)
        try appendGroups(request, to: &text)
        try appendOrder(request, to: &text)
        appendWindow(rows, to: &text)
        return text
    }

    /// The rows that a full-text search finds, the best first, with rank and marked texts.
    func search(_ request: SearchRequest) throws -> SQLText {
        try request.rows.checkAggregates(in: schema)
        let entity = request.rows.entity
        let entitySQL = entities[entity]
        var text = SQLText("SELECT ")
        text.append(entitySQL.columns.map { "\(entitySQL.table).\($0)" }.joined(separator: ", "))
        let index = try RowRenderer(self, entity: entity, text).searchIndex()
        text.append(", \(index).rank")
        for position in entitySQL.entity.searchable.indices {
            text.append(", highlight(\(index), \(position), ")
            text.append(.text(request.openingMark))
            text.append(", ")
            text.append(.text(request.closingMark))
            text.append(")")
        }
        let key = "\(entitySQL.table).\(entitySQL.columns[0])"
        text.append(" FROM \(index) JOIN ")
        if entitySQL.entity.hasIntegerID {
            text.append("\(entitySQL.table) ON \(key) = \(index).rowid WHERE ")
        } else {
            let numbers = SQLText.quote(SearchIndex.numbers(of: entitySQL.entity.table))
            text.append(
                "\(numbers) ON \(numbers).\"number\" = \(index).rowid JOIN \(entitySQL.table) ON \(key) = \(numbers).\"id\" WHERE "
            )
        }
        if let pattern = SearchPattern.text(of: request.terms) {
            text.append("\(index) MATCH ")
            text.append(.text(pattern))
        } else {
            text.append("FALSE")
        }
        if let predicate = request.rows.predicate {
            text.append(" AND ")
            try append(to: &text, entity, isQualified: true) { try $0.append(predicate) }
        }
        text.append(" ORDER BY \(index).rank, \(key)")
        appendWindow(request.rows, to: &text)
        return text
    }

    private func append(
        _ expressions: [StoreExpression], _ entity: Int, _ keys: [StoreExpression],
        to text: inout SQLText
    ) throws {
        for (position, expression) in expressions.enumerated() {
            if position > 0 { text.append(", ") }
            try append(to: &text, entity) { renderer in
                renderer.distinguishing = keys
                try renderer.append(expression)
            }
        }
    }

    private func appendGroups(_ request: ProjectionRequest, to text: inout SQLText) throws {
        for (position, group) in request.groups.enumerated() {
            text.append(position == 0 ? " GROUP BY " : ", ")
            // A result is named by its number, so that SQLite computes it once.
            if let number = request.results.firstIndex(of: group) {
                text.append("\(number + 1)")
            } else {
                try append([group], request.rows.entity, [], to: &text)
            }
        }
        guard let having = request.having else { return }
        text.append(" HAVING ")
        try append(to: &text, request.rows.entity) { try $0.append(having) }
    }

    private func appendOrder(_ request: ProjectionRequest, to text: inout SQLText) throws {
        var order = request.rows.order
        // The keys that make the order deterministic come last.
        let last: [StoreExpression] =
            if !request.groups.isEmpty {
                request.groups
            } else if request.isAggregated {
                []
            } else if order.isEmpty, !hasWindow(request.rows) {
                []
            } else {
                request.isDistinct ? request.results : [.column(0)]
            }
        for expression in last where !order.contains(where: { $0.expression == expression }) {
            order.append(.init(expression, descending: false))
        }
        try append(order, request.rows.entity, request.distinguishing, to: &text)
    }
}

extension ProjectionRequest {
    /// The expressions that distinguish the result rows.
    fileprivate var distinguishing: [StoreExpression] {
        if !groups.isEmpty { return groups }
        return isAggregated ? [] : [.column(0)]
    }
}
