import SkiathosStore

/// The order of the rows of a request, as the store sorts them: by the sort keys, and then by ID.
struct RowOrder: Sendable {
    private let keys: [(column: Int, isDescending: Bool)]

    /// - Returns: `nil` for a request of which the order cannot be decided by the columns of two rows,
    ///   or with a limit or an offset: there a row outside of the list moves into it.
    init?(_ request: FetchRequest, of entity: EntitySchema) {
        guard request.limit == nil, request.offset == 0 else { return nil }
        var keys: [(column: Int, isDescending: Bool)] = []
        for key in request.order {
            // Decimal numbers are sorted by their numeric values.
            guard case .column(let column) = key.expression,
                entity.columns[column].storage != .decimal
            else { return nil }
            keys.append((column, key.descending))
        }
        self.keys = keys
    }

    /// Whether the request has sort keys; else the order is that of the IDs, which the store keeps only
    /// where it is asked to.
    var hasKeys: Bool { !keys.isEmpty }

    /// The columns that decide the place of a row, the ID included.
    var columns: ColumnSet { ColumnSet([0] + keys.map(\.column)) }

    /// What decides the place of a row: the values of the sort keys, and the ID.
    ///
    /// - Parameter row: The values of all columns, in the order of the schema; those of others than
    ///   `columns` do not count, and may be absent behind the last of these.
    func key(of row: [StoreValue]) -> [StoreValue] {
        var key = keys.map { row[$0.column] }
        key.append(row[0])
        return key
    }

    /// Whether the row with a key comes before the row with another one.
    func areInOrder(_ left: [StoreValue], _ right: [StoreValue]) -> Bool {
        for (position, key) in keys.enumerated() {
            let order = left[position].order(right[position])
            if order != 0 { return (order < 0) != key.isDescending }
        }
        return left[keys.count].order(right[keys.count]) < 0
    }
}
