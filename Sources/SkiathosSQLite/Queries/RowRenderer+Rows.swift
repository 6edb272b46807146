import SkiathosStore

/// The rows of another query as a set.
extension RowRenderer {
    private static let result = SQLText.quote("skiathos_result")

    /// Appends the condition that a row is one of those of a query of the same entity.
    mutating func append(_ rows: StoreRows) throws {
        guard rows.limit != nil || rows.offset > 0 else {
            guard let condition = rows.condition else { return text.append("TRUE") }
            return try append(condition)
        }
        text.append("(\(scope.column(0)) IN (")
        try append(StoreSelection(scope.entitySQL.entity, .column(0), of: rows))
        text.append("))")
    }

    /// Appends the condition that a value is one of those of a selection.
    mutating func append(_ expression: StoreExpression, isIn selection: StoreSelection) throws {
        let mayBeNull = try mayBeNull(expression) && mayHaveNull(selection)
        text.append(mayBeNull ? "((" : "(")
        try appendCollated(expression)
        text.append(" IN (")
        try append(selection)
        text.append("))")
        guard mayBeNull else { return }
        // In SQL a missing value is not found among others, not even among missing ones.
        text.append(" OR (")
        try append(expression)
        text.append(" IS NULL AND EXISTS (SELECT 1 FROM (")
        try append(selection, named: true)
        text.append(") WHERE \(Self.result) IS NULL)))")
    }

    /// - Parameter named: Whether the result has the name ``result``.
    private mutating func append(_ selection: StoreSelection, named: Bool = false) throws {
        try withScope(of: try entity(of: selection)) { renderer, _ in
            let rows = selection.rows
            var order: [FetchRequest.Order] = []
            if rows.limit != nil || rows.offset > 0 {
                let last = selection.isDistinct ? selection.result : .column(0)
                order = rows.order
                if !order.contains(where: { $0.expression == last }) {
                    order.append(.init(last, descending: false))
                }
            }
            // SQLite knows the columns of outer rows in the results of a query, but not in its sort keys.
            let hasOuterKeys = order.contains {
                StorePart.expression($0.expression).readsOuterRows
            }
            if hasOuterKeys {
                guard !selection.isDistinct || order.count == 1 else {
                    throw StoreError(
                        .invalidRequest,
                        "A query looks for a value among the first different results of \(selection.entityName), in an order that compares with a row around, which SQLite does not do. Sort by the result, or leave the limit or distinct out.",
                        entity: renderer.scope.entitySQL.entity.table)
                }
                renderer.text.append(
                    "SELECT \(Self.result)\(named ? " AS \(Self.result)" : "") FROM (")
            }
            renderer.text.append(selection.isDistinct ? "SELECT DISTINCT " : "SELECT ")
            try renderer.append(selection.result)
            if named || hasOuterKeys { renderer.text.append(" AS \(Self.result)") }
            if hasOuterKeys {
                for (number, key) in order.enumerated() {
                    renderer.text.append(", ")
                    try renderer.append(key.expression)
                    renderer.text.append(" AS \(Self.key(number))")
                }
            }
            renderer.text.append(" FROM \(renderer.source)")
            if let condition = rows.condition {
                renderer.text.append(" WHERE ")
                try renderer.append(condition)
            }
            for (number, key) in order.enumerated() {
                renderer.text.append(number == 0 ? " ORDER BY " : ", ")
                if hasOuterKeys {
                    renderer.text.append(Self.key(number))
                    try renderer.appendCollation(of: key.expression)
                } else {
                    try renderer.appendCollated(key.expression)
                }
                if key.descending { renderer.text.append(" DESC") }
            }
            renderer.appendLimit(of: rows)
            if hasOuterKeys { renderer.text.append(")") }
        }
    }

    private static func key(_ number: Int) -> String { SQLText.quote("skiathos_key_\(number)") }

    private mutating func appendLimit(of rows: StoreRows) {
        guard rows.limit != nil || rows.offset > 0 else { return }
        // A negative limit is none.
        text.append(" LIMIT ")
        text.append(.integer(rows.limit.map { Int64(max(0, $0)) } ?? -1))
        guard rows.offset > 0 else { return }
        text.append(" OFFSET ")
        text.append(.integer(Int64(rows.offset)))
    }

    /// Whether a result of a selection may have no value.
    private func mayHaveNull(_ selection: StoreSelection) throws -> Bool {
        var (probe, mayHaveNull) = (self, true)
        probe.withScope(of: try entity(of: selection)) { renderer, _ in
            mayHaveNull = renderer.mayBeNull(selection.result)
        }
        return mayHaveNull
    }

    private func entity(of selection: StoreSelection) throws -> Int {
        guard let entity = schema.position(of: selection) else {
            throw unknown(selection.entityName)
        }
        return entity
    }
}
