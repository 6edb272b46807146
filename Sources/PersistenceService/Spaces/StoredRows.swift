import SkiathosStore

/// Rows of stored column values, on their way to the store.
struct StoredRows: RowSource {
    /// The values to bind for each row, in order; the ID comes last unless it is the first
    /// column.
    let rows: [[StoreValue]]
    /// The position of the ID in each row.
    let id: Int

    var lendableCount: Int { rows.count }

    func sendRows(to sink: inout RowSink) throws {
        for row in rows {
            for (position, value) in row.enumerated() {
                try value.bind(to: sink.parameters, at: position)
            }
            try sink.send()
        }
    }

    func sendIDs(to sink: inout RowSink) throws {
        for row in rows {
            try row[id].bind(to: sink.parameters, at: 0)
            try sink.send()
        }
    }

    func lendRows(to body: (LentRows) throws -> Void) throws {
        try lend({ row, position in row[position] }, to: body)
    }

    func lendIDs(to body: (LentRows) throws -> Void) throws {
        try lend({ row, _ in row[id] }, to: body)
    }

    private func lend(
        _ value: @escaping ([StoreValue], Int) -> StoreValue, to body: (LentRows) throws -> Void
    ) throws {
        guard let first = rows.first else { return }
        var current = first
        try body(
            LentRows(
                count: rows.count, move: { current = rows[$0] },
                bind: { try value(current, $0).bind(to: $1, at: 0) }))
    }
}
