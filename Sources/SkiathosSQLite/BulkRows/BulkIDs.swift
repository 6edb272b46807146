import SkiathosStore

/// Integers that a statement reads one after the other, without a list in JSON.
///
/// Measured, fetching rows by a thousand IDs takes half the instructions that it takes with a list in
/// JSON.
struct BulkIDs {
    /// Ascending and distinct, the best order for scanning a table.
    private let numbers: [Int64]

    /// Takes the numbers of a list, if it has only numbers.
    init?(_ values: [StoreValue]) {
        var list: [Int64] = []
        list.reserveCapacity(values.count)
        for value in values {
            guard case .integer(let number) = value else { return nil }
            list.append(number)
        }
        list.sort()
        var numbers: [Int64] = []
        numbers.reserveCapacity(list.count)
        for number in list where number != numbers.last { numbers.append(number) }
        guard !numbers.isEmpty else { return nil }
        self.numbers = numbers
    }

    /// The numbers as rows of one column.
    var rows: LentRows {
        let numbers = numbers
        var row = 0
        return LentRows(
            count: numbers.count, move: { row = $0 },
            bind: { _, parameters in try parameters.bind(numbers[row], at: 0) })
    }
}
