import SkiathosStore

extension StoreError {
    /// The same error with the row at a position, counted from 0, of those that a step stores.
    func locating(row position: Int, of rows: any RowSource) -> StoreError {
        let count = rows.lendableCount
        guard rowPlace == nil, position < count else { return self }
        var error = self
        error.rowPlace = RowPlace(number: position + 1, of: count)
        // The invalid value may be the ID itself.
        error.rowID = try? rows.id(ofRow: position)
        return error
    }

    /// Whether the error concerns one row, and not the operation as a whole.
    var isAboutOneRow: Bool {
        switch code {
        case .uniqueViolation, .notNullViolation, .constraintViolation: true
        default: false
        }
    }
}

extension RowSource {
    /// The ID of a row.
    fileprivate func id(ofRow position: Int) throws -> StoreValue? {
        var id: StoreValue?
        try lendIDs { rows in
            rows.moveToRow(position)
            id = try StoreValue.capture { try rows.bind(0, to: $0) }
        }
        return id
    }
}
