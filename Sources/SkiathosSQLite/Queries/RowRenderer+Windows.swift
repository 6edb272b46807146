import SkiathosStore

/// Windows as SQL (sqlite.org/windowfunctions.html).
extension RowRenderer {
    /// Appends what a row gets from its place among others.
    mutating func append(_ window: StoreWindow) throws {
        switch window.function {
        case .rowNumber: text.append("row_number()")
        case .rank: text.append("rank()")
        case .denseRank: text.append("dense_rank()")
        case .previous(let value, let places): try append("lag", value, places)
        case .next(let value, let places): try append("lead", value, places)
        case .aggregate(let aggregate):
            guard !aggregate.isDistinct else {
                throw StoreError(
                    .invalidRequest,
                    "A query counts different values over a window, which SQLite does not do. Count them by groups.",
                    entity: scope.entitySQL.entity.table)
            }
            return try append(aggregate, over: window)
        }
        try appendFrame(window)
    }

    private mutating func append(
        _ function: String, _ value: StoreExpression, _ places: Int
    ) throws {
        text.append(function + "(")
        try append(value)
        text.append(", \(places))")
    }

    /// Appends which rows a function sees, and in which order.
    mutating func appendFrame(_ window: StoreWindow?) throws {
        guard let window else { return }
        text.append(" OVER (")
        for (position, expression) in window.partition.enumerated() {
            text.append(position == 0 ? "PARTITION BY " : ", ")
            try appendCollated(expression)
        }
        let order = order(of: window)
        if !window.partition.isEmpty, !order.isEmpty { text.append(" ") }
        for (position, key) in order.enumerated() {
            text.append(position == 0 ? "ORDER BY " : ", ")
            try appendCollated(key.expression)
            if key.descending { text.append(" DESC") }
        }
        // By default rows that are equal in the sort keys would be in the frame, too.
        if case .aggregate = window.function, !order.isEmpty {
            text.append(" ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW")
        }
        text.append(")")
    }

    /// The sort keys; where equal rows must not share a place, with keys that tell them apart.
    private func order(of window: StoreWindow) -> [FetchRequest.Order] {
        switch window.function {
        case .rank, .denseRank: return window.order
        case .aggregate where window.order.isEmpty: return []
        case .rowNumber, .previous, .next, .aggregate: break
        }
        let missing = distinguishing.filter { key in
            !window.order.contains { $0.expression == key }
        }
        return window.order + missing.map { .init($0, descending: false) }
    }
}
