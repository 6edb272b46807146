import SkiathosStore

/// The rows of another query of the same entity.
extension RowRenderer {
    /// Appends the condition that a row is one of them.
    mutating func append(_ rows: StoreRows) throws {
        guard rows.limit != nil || rows.offset > 0 else {
            guard let condition = rows.condition else { return text.append("TRUE") }
            return try append(condition)
        }
        guard
            let entity = schema.entities.firstIndex(where: {
                $0.type == scope.entitySQL.entity.type
            })
        else { throw unknown(scope.entitySQL.entity.typeName) }
        try withScope(of: entity) { renderer, outer in
            renderer.text.append(
                "(\(outer.column(0)) IN (SELECT \(renderer.scope.column(0)) FROM \(renderer.source)"
            )
            if let condition = rows.condition {
                renderer.text.append(" WHERE ")
                try renderer.append(condition)
            }
            try renderer.appendOrder(of: rows)
            renderer.text.append("))")
        }
    }

    private mutating func appendOrder(of rows: StoreRows) throws {
        var order = rows.order
        if !order.contains(where: { $0.expression == .column(0) }) {
            order.append(.init(.column(0), descending: false))
        }
        for (position, key) in order.enumerated() {
            text.append(position == 0 ? " ORDER BY " : ", ")
            try appendCollated(key.expression)
            if key.descending { text.append(" DESC") }
        }
        // A negative limit is none.
        text.append(" LIMIT ")
        text.append(.integer(rows.limit.map { Int64(max(0, $0)) } ?? -1))
        guard rows.offset > 0 else { return }
        text.append(" OFFSET ")
        text.append(.integer(Int64(rows.offset)))
    }
}
